// Parser of IR text, an element a line; lib/IRText keeps what is open, so that the memory of a parse is that of a line
// and no text can nest deeper than the three levels there are:
//
//   aoir 1
//   source … {            result … {         layout … {           transfer … {
//     shard … {             piece …            shard … {            shard … {
//       box … | block …   }                      box … | block …      piece …
//     }                                        }                    }
//   }                     graph {            }                    }
//                           op …
//                         }
//
// Every choice is made by the next token or two. Numbers, names and types are judged by lib/IRText.
parser grammar AoirParser;
options { tokenVocab = AoirLexer; }

line      : (version | source | graph | op | result | compared | layout | transfer | shard | box | block | piece | RBRACE)? EOF ;

version   : AOIR INT ;
source    : SOURCE name COLON type LBRACE? ;
graph     : GRAPH LBRACE ;
result    : RESULT name EQ VALUE (COLON type (LBRACE | LEFT))? ;
layout    : LAYOUT name (PAD number)? LBRACE ;
// An operand of a comparison, by its number.
compared  : COMPARE INT name EQ VALUE (COLON type LBRACE)? ;
transfer  : TRANSFER (COMPARE INT)? name EQ type (LBRACE | LEFT) ;

// %1, %2 = split %0 axis=0 : F32 [2, 4] as a, b
op        : (results=values EQ kind=word | verb) name? operands=values? attribute* (COLON types)? (AS names)? ;
// One for all results, or one each.
types     : type (COMMA type)* ;
names     : name (COMMA name)* ;
values    : VALUE (COMMA VALUE)* ;
// An operation without results.
verb      : NAME | COMPARE ;
attribute : word EQ (number | extents) ;

shard     : SHARD INT ON RANKS LBRACE (range (COMMA range)*)? RBRACE extents (SCALE number)? LBRACE ;
range     : INT (UPTO INT)? ;
box       : BOX extents FULL extents SHARD extents ;
block     : BLOCK extents FULL view SHARD view ;

// piece [2, 4] a@0{0 : 4, 1} b@1{8 : 4, 1} cast F32 -> F64 by %3
piece     : PIECE extents place place chain? (BY VALUE)? ;
place     : (name | VALUE) (AT INT)? view ;
chain     : (CAST | OPS) word (ARROW step)+ ;
step      : word number? | (TIMES | OVER) number ;

type      : word extents ;
extents   : LBRACK (INT (COMMA INT)*)? RBRACK ;
view      : LBRACE INT (COLON INT (COMMA INT)*)? RBRACE ;
number    : INT | FLOAT | ENDLESS ;
name      : STRING | word ;
word      : NAME | AOIR | SOURCE | GRAPH | RESULT | LAYOUT | TRANSFER | SHARD | ON | RANKS | SCALE | PAD | BOX | BLOCK
          | PIECE | FULL | AS | BY | CAST | OPS | COMPARE | ENDLESS ;
