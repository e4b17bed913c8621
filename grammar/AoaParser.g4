// Parser of the AOA language. Every choice is made by the next token, so that SLL prediction suffices.
// What the grammar leaves to later steps: tags among right names, order and place of suffixes, words as values, what a
// dialect has, glued statements (no separator between). Its rules carry the names that syntax errors are worded by.
parser grammar AoaParser;
options { tokenVocab = AoaLexer; }

program   : (NL | SEMI | statement)* EOF ;

// names -> names, tags, attributes: one list on the right, told apart by what follows each word
statement : names ARROW operand (COMMA item)* ;
names     : operand (COMMA operand)* ;
operand   : (NAME | STRING) suffix* ;
item      : (NAME | STRING) suffix* (EQ value)? ;
suffix    : TRANSPOSE | LBRACK NUMBER COLON NUMBER RBRACK ;

value     : (MINUS | PLUS)? (NUMBER | FLOAT)
          | STRING
          | WORD
          | list
          ;
list      : LBRACK (value (COMMA value)*)? RBRACK ;
