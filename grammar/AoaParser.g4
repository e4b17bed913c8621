// Parser of the AOA language. Every choice is made by the next token, so that SLL prediction suffices.
// What the grammar leaves to later steps: tags among right names, order and place of suffixes, words as values, how tight
// operators bind, what a dialect has, glued statements (no separator between), where macros and includes may stand, that
// no `else` follows the last one. Its rules carry the names that syntax errors are worded by; a rule for a head ends
// before the { of its block, so that a broken head leaves the block to be read.
parser grammar AoaParser;
options { tokenVocab = AoaLexer; }

program   : (NL | SEMI | statement | let | loop | branches | assertion | include | macro)* EOF ;
block     : LBRACE (NL | SEMI | statement | let | loop | branches | assertion | include | macro)* RBRACE ;

let       : LET NAME EQ value ;
loop      : loopHead block ;
loopHead  : FOR NAME IN value RANGE value ;
branches  : condition block (elseHead block)* ;
condition : IF value ;
elseHead  : ELSE (IF value)? ;
assertion : ASSERT value COMMA (STRING | composed) ;
include   : INCLUDE (STRING | composed) ;

macro     : macroHead block ;
macroHead : MACRO NAME LPAREN parameters ARROW parameters (HEAD_SEMI attribute (COMMA attribute)*)? RPAREN ;
parameters: NAME (COMMA NAME)* ;
attribute : NAME (EQ value)? ;

// names -> names, tags, attributes, clauses: one list on the right, told apart by what follows each word
statement : names ARROW operand (COMMA item)* ;
names     : operand (COMMA operand)* ;
operand   : (NAME | STRING | composed | nameList) suffix* ;
item      : (NAME | STRING | composed) suffix* (EQ value | clause)?
          | nameList suffix*
          ;
nameList  : LPAREN names FOR NAME IN value RANGE value RPAREN ;
suffix    : TRANSPOSE | MAYBE | LBRACK value (COLON value)? RBRACK ;
clause    : SHORTEST | LONGEST | NOT? IN (value RANGE value | set) ;
set       : LSET PIECE (COMMA PIECE)* RSET ;

// a name or string that holds ${…}
composed  : NAME_HEAD value INTERP_END (NAME_MID value INTERP_END)* NAME_MORE?
          | STRING_HEAD value INTERP_END (STRING_MID value INTERP_END)* STRING_END
          ;

value     : (MINUS | PLUS | NOT)* primary ((OPERATOR | MINUS | PLUS) (MINUS | PLUS | NOT)* primary)* ;
primary   : NUMBER | FLOAT | CONFIG | STRING | WORD args?
          | TEMP (LBRACK value RBRACK)?
          | composed
          | list
          | args
          | INTERP value INTERP_END
          ;
list      : LBRACK (value (COMMA value)*)? RBRACK ;
args      : LPAREN (value (COMMA value)*)? RPAREN ;
