// Lexer of IR text. It reads one line at a time, as bytes: names are bytes, all else is ASCII.
// A bare name holds letters, digits and . _ - / only (printName); words of the text are names, too, wherever a name is expected.
lexer grammar AoirLexer;

AOIR     : 'aoir' ;
SOURCE   : 'source' ;
GRAPH    : 'graph' ;
RESULT   : 'result' ;
LAYOUT   : 'layout' ;
TRANSFER : 'transfer' ;
SHARD    : 'shard' ;
ON       : 'on' ;
RANKS    : 'ranks' ;
SCALE    : 'scale' ;
PAD      : 'pad' ;
BOX      : 'box' ;
BLOCK    : 'block' ;
PIECE    : 'piece' ;
FULL     : 'full' ;
AS       : 'as' ;
BY       : 'by' ;
CAST     : 'cast' ;
OPS      : 'ops' ;
COMPARE  : 'compare' ;
ENDLESS  : 'inf' | 'nan' ;
LEFT     : 'left to the caller' ;

INT      : DIGITS ;
FLOAT    : '-'? DIGITS ('.' DIGITS)? ([eE] [+-]? DIGITS)? | '-inf' | '-nan' ;
VALUE    : '%' DIGITS ;
NAME     : [A-Za-z_] [A-Za-z0-9._/-]* ;
STRING   : '"' (~["\\] | '\\' ["\\] | '\\' HEX HEX)* '"' ;
ARROW    : '->' ;
UPTO     : '..' ;
LBRACE   : '{' ;
RBRACE   : '}' ;
LBRACK   : '[' ;
RBRACK   : ']' ;
COLON    : ':' ;
COMMA    : ',' ;
EQ       : '=' ;
AT       : '@' ;
TIMES    : '*' ;
OVER     : '/' ;

BLANK    : [ \t\r]+ -> skip ;
// What a test says about itself, and the headings of dumps.
COMMENT  : ('//' | ';') ~[\r\n]* -> skip ;
BAD      : [\u0080-\u00FF]+ | . ;

fragment DIGITS : [0-9]+ ;
fragment HEX    : [0-9A-Fa-f] ;
