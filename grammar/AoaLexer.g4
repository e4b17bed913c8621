// Lexer of the AOA language. It reads bytes, one character each: the language itself is ASCII, and all other bytes
// only pass through strings and comments. Three kinds of text, told apart by lexer modes:
//   PADDLE:         the whole of that dialect; chosen from outside, never left
//   DEFAULT (names): a whole name is one token, however many . - / $ * it holds
//   X0, X1 (values): X0 where an operand may stand, X1 behind one (so that - and [ and a glued name are told by position)
// A value starts behind = and inside [ ]; it ends at a , ; newline ) that no bracket of its own holds, or at a glued name.
//
// Tokens that only later versions of the language have a use for (MAYBE, TEMP, INTERP, OPERATOR, the braces, the words
// from MACRO on) are told apart here already, so that the parser can say what they are.
lexer grammar AoaLexer;

tokens {
  NL, COMMENT, STRING, UNCLOSED, NUMBER, FLOAT, WORD, MINUS, PLUS, COLON, LPAREN, RPAREN, LBRACK, RBRACK, LBRACE, RBRACE,
  TEMP, INTERP, OPERATOR, BAD_NAME
}

@members {
public:
  /// Reads the whole text as the paddle dialect.
  void speakPaddle() { mode = PADDLE; }

  std::unique_ptr<antlr4::Token> nextToken() override {
    std::unique_ptr<antlr4::Token> token = Lexer::nextToken();
    if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL && token->getType() != NL)
      last = token->getType();
    return token;
  }

private:
  /// What is open: the character that closes it (0: a value without a bracket) and the mode to return to.
  struct Open { char close; size_t back; };
  std::vector<Open> opened;
  size_t last = 0; // type of the last token given out, newlines and comments apart

  void open(char close, size_t back, size_t next) { opened.push_back({close, back}); mode = next; }
  bool bracketed() const { return !opened.empty() && opened.back().close; }
  /// Ends a value that no bracket holds.
  void end() { while (!opened.empty() && !opened.back().close) { mode = opened.back().back; opened.pop_back(); } }
  /// No value and no bracket outlives an arrow or a newline that counts.
  void restart() { opened.clear(); mode = DEFAULT_MODE; }
  void comma() { if (bracketed() && mode == X1) mode = X0; else end(); }
  /// A bracket that does not fit changes nothing: the parser reports it.
  void close(char c) {
    end();
    if (!bracketed() || opened.back().close != c) return;
    mode = opened.back().back; opened.pop_back();
  }
  /// A newline inside brackets or behind , -> = continues the statement. (One before -> does, too: the token list sees to it.)
  void newline() { if (bracketed() || last == COMMA || last == ARROW || last == EQ) setChannel(HIDDEN); else restart(); }

public:
}

// ---- names
WS       : ([ \t]+ | '\u00EF\u00BB\u00BF') -> skip ; // the three bytes are a byte order mark
NEWLINE  : [\r\n]+ { newline(); } -> type(NL) ;
REMARK   : '#' ~[\r\n]* -> type(COMMENT), channel(HIDDEN) ;
MACRO    : 'macro' ;
INCLUDE  : 'include' ;
LET      : 'let' ;
FOR      : 'for' ;
IF       : 'if' ;
ELSE     : 'else' ;
ASSERT   : 'assert' ;
IN       : 'in' ;
NOT      : 'not' ;
SHORTEST : 'shortest' ;
LONGEST  : 'longest' ;
NAME     : WORDCH REST* ;
N_TEMP   : '%' REST* -> type(TEMP) ;
N_INTERP : ('%' | WORDCH) REST* '${' -> type(INTERP) ;
N_INTERP0: '${' -> type(INTERP) ;
N_BAD    : [0-9.*] REST* -> type(BAD_NAME) ;
ARROW    : '->' { restart(); } ;
EQ       : '=' { open(0, DEFAULT_MODE, X0); } ;
COMMA    : ',' ;
SEMI     : ';' ;
TRANSPOSE: '^T' ;
MAYBE    : '?' ;
N_LB     : '[' { open(']', DEFAULT_MODE, X0); } -> type(LBRACK) ;
N_RB     : ']' { close(']'); } -> type(RBRACK) ;
N_LP     : '(' { open(')', DEFAULT_MODE, DEFAULT_MODE); } -> type(LPAREN) ;
N_RP     : ')' { close(')'); } -> type(RPAREN) ;
N_LC     : '{' -> type(LBRACE) ;
N_RC     : '}' -> type(RBRACE) ;
N_STR    : TEXT -> type(STRING) ;
N_OPEN   : OPENTEXT -> type(UNCLOSED) ;
BAD      : [\u0080-\u00FF]+ | . ;

fragment WORDCH   : [A-Za-z_$] ;
fragment NAMECH   : [A-Za-z0-9_.*$] | '^' [A-SU-Za-z0-9_.$*] ; // ^T ends a name, another ^ is part of it
fragment REST     : [-/]* NAMECH ; // so that - and / are never last, and a-b->c ends before the arrow
fragment ID       : [A-Za-z_] [A-Za-z0-9_]* ;
fragment DIGITS   : [0-9]+ ;
fragment TEXT     : '"' ~["\r\n]* '"' | '\'' ~['\r\n]* '\'' ;
fragment OPENTEXT : '"' ~["\r\n]* | '\'' ~['\r\n]* ;

// ---- an operand may stand here
mode X0;
X0_WS  : [ \t]+ -> skip ;
X0_NL  : [\r\n]+ { newline(); } -> type(NL) ;
X0_C   : '#' ~[\r\n]* -> type(COMMENT), channel(HIDDEN) ;
X0_FLT : DIGITS ('.' DIGITS ([eE] [-+]? DIGITS)? | [eE] [-+]? DIGITS) -> type(FLOAT), mode(X1) ;
X0_NUM : DIGITS -> type(NUMBER), mode(X1) ;
X0_ID  : ID -> type(WORD), mode(X1) ;
X0_TMP : '%' ID -> type(TEMP), mode(X1) ;
X0_INT : '${' -> type(INTERP) ;
X0_SUB : '-' -> type(MINUS) ;
X0_ADD : '+' -> type(PLUS) ;
X0_LP  : '(' { open(')', X1, X0); } -> type(LPAREN) ;
X0_LB  : '[' { open(']', X1, X0); } -> type(LBRACK) ;
X0_RB  : ']' { close(']'); } -> type(RBRACK) ;
X0_RP  : ')' { close(')'); } -> type(RPAREN) ;
X0_LC  : '{' -> type(LBRACE) ;
X0_RC  : '}' -> type(RBRACE) ;
X0_STR : TEXT -> type(STRING), mode(X1) ;
X0_OPEN: OPENTEXT -> type(UNCLOSED) ;
X0_COM : ',' { comma(); } -> type(COMMA) ;
X0_SEM : ';' { restart(); } -> type(SEMI) ;
X0_ARR : '->' { restart(); } -> type(ARROW) ;
X0_EQ  : '=' -> type(EQ) ;
X0_COL : ':' -> type(COLON) ;
X0_BAD : ([\u0080-\u00FF]+ | .) -> type(BAD) ;

// ---- behind an operand
mode X1;
X1_WS  : [ \t]+ -> skip ;
X1_NL  : [\r\n]+ { newline(); } -> type(NL) ;
X1_C   : '#' ~[\r\n]* -> type(COMMENT), channel(HIDDEN) ;
X1_OP  : ('and' | 'or' | '..' | '??' | '//' | '==' | '!=' | '<=' | '>=' | [<>*/%+-]) -> type(OPERATOR), mode(X0) ;
X1_NUM : DIGITS -> type(NUMBER) ;
X1_COL : ':' -> type(COLON), mode(X0) ;
X1_LP  : '(' { open(')', X1, X0); } -> type(LPAREN) ;
X1_LB  : '[' { open(']', X1, X0); } -> type(LBRACK) ;
X1_RB  : ']' { close(']'); } -> type(RBRACK) ;
X1_RP  : ')' { close(')'); } -> type(RPAREN) ;
X1_LC  : '{' { end(); } -> type(LBRACE) ;
X1_RC  : '}' { end(); } -> type(RBRACE) ;
X1_COM : ',' { comma(); } -> type(COMMA) ;
X1_SEM : ';' { restart(); } -> type(SEMI) ;
X1_ARR : '->' { restart(); } -> type(ARROW) ;
X1_EQ  : '=' -> type(EQ) ;
X1_N   : WORDCH REST* { end(); } -> type(NAME) ; // glued: the next statement starts here
X1_INT : WORDCH? REST* '${' { end(); } -> type(INTERP) ;
X1_STR : TEXT { end(); } -> type(STRING) ;
X1_OPEN: OPENTEXT { end(); } -> type(UNCLOSED) ;
X1_BAD : ([\u0080-\u00FF]+ | .) -> type(BAD) ;

// ---- the paddle dialect: no comments, signs and continuation, names without - and /, strings over several lines
mode PADDLE;
P_WS   : [ \t]+ -> skip ;
P_NL   : [\r\n]+ -> type(NL) ;
P_ARR  : '->' -> type(ARROW) ;
P_EQ   : '=' -> type(EQ) ;
P_COL  : ':' -> type(COLON) ;
P_LB   : '[' -> type(LBRACK) ;
P_RB   : ']' -> type(RBRACK) ;
P_COM  : ',' -> type(COMMA) ;
P_NUM  : DIGITS -> type(NUMBER) ;
P_NAME : [A-Za-z_] [A-Za-z0-9_.$*^]* -> type(NAME) ; // a ^T at its end is split off by the tree
P_STR  : ('"' ~["]* '"' | '\'' ~[']* '\'') -> type(STRING) ;
P_OPEN : ('"' ~["]* | '\'' ~[']*) -> type(UNCLOSED) ;
P_BAD  : ([\u0080-\u00FF]+ | .) -> type(BAD) ;
