// Parser of the AOA language. Every choice is made by the next token, so that SLL prediction suffices.
// What the grammar leaves to later steps: tags among right names, order and place of suffixes, words as values, how tight
// operators bind, what a dialect has, glued statements (no separator between). Its rules carry the names that syntax errors
// are worded by.
parser grammar AoaParser;
options { tokenVocab = AoaLexer; }

program   : (NL | SEMI | statement)* EOF ;

// names -> names, tags, attributes, clauses: one list on the right, told apart by what follows each word
statement : names ARROW operand (COMMA item)* ;
names     : operand (COMMA operand)* ;
operand   : (NAME | STRING | composed) suffix* ;
item      : (NAME | STRING | composed) suffix* (EQ value | clause)? ;
suffix    : TRANSPOSE | MAYBE | LBRACK value COLON value RBRACK ;
clause    : SHORTEST | LONGEST | NOT? IN (value RANGE value | set) ;
set       : LSET PIECE (COMMA PIECE)* RBRACE ;

// a name or string that holds ${…}
composed  : NAME_HEAD value INTERP_END (NAME_MID value INTERP_END)* NAME_MORE?
          | STRING_HEAD value INTERP_END (STRING_MID value INTERP_END)* STRING_END
          ;

value     : (MINUS | PLUS | NOT)* primary ((OPERATOR | MINUS | PLUS) (MINUS | PLUS | NOT)* primary)* ;
primary   : NUMBER | FLOAT | CONFIG | STRING | WORD args?
          | composed
          | list
          | args
          | INTERP value INTERP_END
          ;
list      : LBRACK (value (COMMA value)*)? RBRACK ;
args      : LPAREN (value (COMMA value)*)? RPAREN ;
