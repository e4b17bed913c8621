// Lexer of the AOA language. It reads bytes, one character each: the language itself is ASCII, and all other bytes
// only pass through strings and comments. Kinds of text, told apart by lexer modes:
//   PADDLE:         the whole of that dialect; chosen from outside, never left
//   DEFAULT (names): a whole name is one token, however many . - / $ * it holds
//   X0, X1 (values): X0 where an operand may stand, X1 behind one (so that - and [ and a glued name are told by position)
//   NC:           a name going on directly behind its ${…}
//   DQ, SQ:         a string going on behind its ${…}
//   SET:            the { } of a clause
// A value starts behind = `in` `if` `assert` and inside [ ] and ${ }; it ends at a , ; newline ) { } that no bracket of
// its own holds, or at a glued name. A name or string without ${…} is one token; with some, it is a head up to `${`, the
// tokens of the expression, INTERP_END, and so on to its last piece. The { } of a block are LBRACE and RBRACE, those of
// a clause LSET and RSET. The `;` of a macro's head ends no statement: HEAD_SEMI.
lexer grammar AoaLexer;

tokens {
  NL, COMMENT, STRING, STRING_HEAD, STRING_MID, STRING_END, UNCLOSED, NUMBER, FLOAT, WORD, CONFIG, MINUS, PLUS, COLON,
  RANGE, LPAREN, RPAREN, LBRACK, RBRACK, LBRACE, RBRACE, LSET, RSET, PIECE, TEMP, INTERP, INTERP_END, OPERATOR, BAD_NAME,
  RESERVED, HEAD_SEMI
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
  /// How far the head of a macro is read; from Left on its ( is the first that is open.
  enum class Head : uint8_t { None, Named, Left, Right };
  Head head = Head::None;

  void open(char close, size_t back, size_t next) { opened.push_back({close, back}); mode = next; }
  bool bracketed() const { return !opened.empty() && opened.back().close; }
  bool inBracket() const {
    for (const Open &bracket : opened) if (bracket.close) return true;
    return false;
  }
  /// Ends a value that no bracket holds.
  void end() { while (!opened.empty() && !opened.back().close) { mode = opened.back().back; opened.pop_back(); } }
  /// No value and no bracket outlives an arrow, a `;`, a brace of a block or a newline that counts.
  void restart() { opened.clear(); head = Head::None; mode = DEFAULT_MODE; }
  /// Goes on in the head of a macro: only its own ( stays open.
  void restartHead() { opened.resize(1); mode = DEFAULT_MODE; }
  void parenthesis() {
    open(')', DEFAULT_MODE, DEFAULT_MODE);
    if (head == Head::Named) head = Head::Left;
  }
  void arrow() {
    if (head != Head::Left) return restart();
    head = Head::Right;
    restartHead();
  }
  void semicolon() {
    if (head != Head::Left && head != Head::Right) return restart();
    setType(HEAD_SEMI);
    restartHead();
  }
  void comma() { if (bracketed() && mode == X1) mode = X0; else end(); }
  /// A bracket that does not fit changes nothing: the parser reports it.
  void close(char c) {
    end();
    if (!bracketed() || opened.back().close != c) return;
    mode = opened.back().back; opened.pop_back();
    if (opened.empty()) head = Head::None;
    if (mode == NC && !goesOn()) mode = DEFAULT_MODE;
  }
  /// Whether a `${` is open, whose `}` no block takes.
  bool inInterpolation() const {
    for (const Open &bracket : opened) if (bracket.close == '}') return true;
    return false;
  }
  /// A `}` ends `${`, or a block.
  void brace() {
    end();
    if (bracketed() && opened.back().close == '}') { setType(INTERP_END); close('}'); return; }
    setType(RBRACE);
    if (!inInterpolation()) restart();
  }
  /// A `{` behind `in` begins a set, any other a block.
  void leftBrace() {
    end();
    if (last == IN) { setType(LSET); open('}', DEFAULT_MODE, SET); return; }
    setType(LBRACE);
    if (!inInterpolation()) restart();
  }
  /// Opens `${`, whose `}` is followed by the mode `back`.
  void interpolate(size_t back) { end(); open('}', back, X0); }
  /// Opens the string that the token at hand begins, and its `${`.
  void string(char quote, size_t next) { open(quote, mode, next); open('}', next, X0); }
  static bool isNameCharacter(size_t c) { return c < 128 && (isalnum(static_cast<int>(c)) || c == '_' || c == '.' || c == '$' || c == '*'); }
  /// Whether the name goes on behind its `${…}`.
  bool goesOn() {
    ssize_t at = 1;
    while (_input->LA(at) == '-' || _input->LA(at) == '/') ++at;
    size_t next = _input->LA(at);
    if (next != '^') return isNameCharacter(next);
    return _input->LA(at + 1) != 'T' && isNameCharacter(_input->LA(at + 1));
  }
  /// A newline inside brackets or behind , -> = continues the statement. (One before -> does, too: the token list sees to it.)
  void newline() { if (inBracket() || last == COMMA || last == ARROW || last == EQ) setChannel(HIDDEN); else restart(); }

public:
}

// ---- names
WS       : ([ \t]+ | '\u00EF\u00BB\u00BF') -> skip ; // the three bytes are a byte order mark
NEWLINE  : [\r\n]+ { newline(); } -> type(NL) ;
REMARK   : '#' ~[\r\n]* -> type(COMMENT), channel(HIDDEN) ;
MACRO    : 'macro' { head = Head::Named; } ;
INCLUDE  : 'include' ;
LET      : 'let' ;
FOR      : 'for' ;
IF       : 'if' { open(0, DEFAULT_MODE, X0); } ;
ELSE     : 'else' ;
ASSERT   : 'assert' { open(0, DEFAULT_MODE, X0); } ;
IN       : 'in' { open(0, DEFAULT_MODE, X0); } ;
NOT      : 'not' ;
SHORTEST : 'shortest' ;
LONGEST  : 'longest' ;
NAME     : START REST* ;
NAME_HEAD: HEAD { interpolate(NC); } ;
N_BAD    : [0-9.*] REST* -> type(BAD_NAME) ;
ARROW    : '->' { arrow(); } ;
EQ       : '=' { open(0, DEFAULT_MODE, X0); } ;
COMMA    : ',' ;
SEMI     : ';' { semicolon(); } ;
TRANSPOSE: '^T' ;
MAYBE    : '?' ;
N_LB     : '[' { open(']', DEFAULT_MODE, X0); } -> type(LBRACK) ;
N_RB     : ']' { close(']'); } -> type(RBRACK) ;
N_LP     : '(' { parenthesis(); } -> type(LPAREN) ;
N_RP     : ')' { close(')'); } -> type(RPAREN) ;
N_LC     : '{' { restart(); } -> type(LBRACE) ;
N_RC     : '}' { restart(); } -> type(RBRACE) ;
N_STR    : TEXT -> type(STRING) ;
N_DQ     : '"' DQTEXT '${' { string('"', DQ); } -> type(STRING_HEAD) ;
N_SQ     : '\'' SQTEXT '${' { string('\'', SQ); } -> type(STRING_HEAD) ;
N_OPEN   : OPENTEXT -> type(UNCLOSED) ;
BAD      : [\u0080-\u00FF]+ | . ;

fragment DELIMITED: '$(' [A-Z] [A-Z0-9_]* ')' ; // a placeholder that letters may follow
fragment WORDCH   : [A-Za-z_$] | DELIMITED ;
fragment START    : '%'? WORDCH | '%' [0-9] ; // values may put a digit behind the `%`
fragment NAMECH   : [A-Za-z0-9_.*$] | DELIMITED | '^' ([A-SU-Za-z0-9_.$*] | DELIMITED) ; // ^T ends a name, another ^ is part of it
fragment REST     : [-/]* NAMECH ; // so that - and / are never last, and a-b->c ends before the arrow
fragment HEAD     : ('%' | START REST* [-/]* '^'?)? '${' ;
fragment ID       : [A-Za-z_] [A-Za-z0-9_]* ;
fragment DIGITS   : [0-9]+ ;
fragment KEY      : [A-Za-z0-9_]+ ;
fragment DQTEXT   : (~["$\r\n] | '$'+ ~["{$\r\n])* '$'* ; // without `${`
fragment SQTEXT   : (~['$\r\n] | '$'+ ~['{$\r\n])* '$'* ;
fragment TEXT     : '"' DQTEXT '"' | '\'' SQTEXT '\'' ;
fragment OPENTEXT : '"' DQTEXT | '\'' SQTEXT ;

// ---- a name going on
mode NC;
NAME_MORE : REST+ -> mode(DEFAULT_MODE) ;
NAME_MID  : REST* [-/]* '^'? '${' { interpolate(NC); } ;

// ---- an operand may stand here
mode X0;
X0_WS  : [ \t]+ -> skip ;
X0_NL  : [\r\n]+ { newline(); } -> type(NL) ;
X0_C   : '#' ~[\r\n]* -> type(COMMENT), channel(HIDDEN) ;
X0_FLT : DIGITS ('.' DIGITS ([eE] [-+]? DIGITS)? | [eE] [-+]? DIGITS) -> type(FLOAT), mode(X1) ;
X0_NUM : DIGITS -> type(NUMBER), mode(X1) ;
X0_CFG : 'config:' KEY ('.' KEY | '[' DIGITS ']')* -> type(CONFIG), mode(X1) ;
X0_NOT : 'not' -> type(NOT) ;
X0_ID  : ID -> type(WORD), mode(X1) ;
X0_TMP : '%' ID -> type(TEMP), mode(X1) ;
X0_INT : '${' { open('}', X1, X0); } -> type(INTERP) ;
X0_SUB : '-' -> type(MINUS) ;
X0_ADD : '+' -> type(PLUS) ;
X0_OP  : ('..' | '??' | '//' | '==' | '!=' | '<=' | '>=' | [<>*/]) -> type(OPERATOR) ;
X0_LP  : '(' { open(')', X1, X0); } -> type(LPAREN) ;
X0_LB  : '[' { open(']', X1, X0); } -> type(LBRACK) ;
X0_RB  : ']' { close(']'); } -> type(RBRACK) ;
X0_RP  : ')' { close(')'); } -> type(RPAREN) ;
X0_LC  : '{' { leftBrace(); } ;
X0_RC  : '}' { brace(); } ;
X0_STR : TEXT -> type(STRING), mode(X1) ;
X0_DQ  : '"' DQTEXT '${' { mode = X1; string('"', DQ); } -> type(STRING_HEAD) ;
X0_SQ  : '\'' SQTEXT '${' { mode = X1; string('\'', SQ); } -> type(STRING_HEAD) ;
X0_OPEN: OPENTEXT -> type(UNCLOSED) ;
X0_COM : ',' { comma(); } -> type(COMMA) ;
X0_SEM : ';' { setType(SEMI); semicolon(); } ;
X0_ARR : '->' { arrow(); } -> type(ARROW) ;
X0_EQ  : '=' -> type(EQ) ;
X0_COL : ':' -> type(COLON) ;
X0_BAD : ([\u0080-\u00FF]+ | .) -> type(BAD) ;

// ---- behind an operand
mode X1;
X1_WS  : [ \t]+ -> skip ;
X1_NL  : [\r\n]+ { newline(); } -> type(NL) ;
X1_C   : '#' ~[\r\n]* -> type(COMMENT), channel(HIDDEN) ;
X1_OP  : ('and' | 'or' | '??' | '//' | '==' | '!=' | '<=' | '>=' | [<>*/%]) -> type(OPERATOR), mode(X0) ;
X1_SUB : '-' -> type(MINUS), mode(X0) ;
X1_ADD : '+' -> type(PLUS), mode(X0) ;
X1_RNG : '..' -> type(RANGE), mode(X0) ;
X1_NUM : DIGITS -> type(NUMBER) ;
X1_COL : ':' -> type(COLON), mode(X0) ;
X1_LP  : '(' { open(')', X1, X0); } -> type(LPAREN) ;
X1_LB  : '[' { open(']', X1, X0); } -> type(LBRACK) ;
X1_RB  : ']' { close(']'); } -> type(RBRACK) ;
X1_RP  : ')' { close(')'); } -> type(RPAREN) ;
X1_LC  : '{' { leftBrace(); } ;
X1_RC  : '}' { brace(); } ;
X1_COM : ',' { comma(); } -> type(COMMA) ;
X1_SEM : ';' { setType(SEMI); semicolon(); } ;
X1_ARR : '->' { arrow(); } -> type(ARROW) ;
X1_EQ  : '=' -> type(EQ) ;
X1_KEY : ('macro' | 'let' | 'for' | 'if' | 'else' | 'assert' | 'include' | 'in' | 'not' | 'shortest' | 'longest')
         { end(); } -> type(RESERVED) ;
X1_N   : WORDCH REST* { end(); } -> type(NAME) ; // glued: the next statement starts here
X1_NH  : (WORDCH REST* [-/]* '^'?)? '${' { interpolate(bracketed() ? X1 : NC); } -> type(NAME_HEAD) ;
X1_STR : TEXT { end(); } -> type(STRING) ;
X1_DQ  : '"' DQTEXT '${' { end(); string('"', DQ); } -> type(STRING_HEAD) ;
X1_SQ  : '\'' SQTEXT '${' { end(); string('\'', SQ); } -> type(STRING_HEAD) ;
X1_OPEN: OPENTEXT { end(); } -> type(UNCLOSED) ;
X1_BAD : ([\u0080-\u00FF]+ | .) -> type(BAD) ;

// ---- a string going on; a newline breaks it
mode DQ;
D_MID  : DQTEXT '${' { open('}', DQ, X0); } -> type(STRING_MID) ;
D_END  : DQTEXT '"' { close('"'); } -> type(STRING_END) ;
D_OPEN : (~["$\r\n] | '$'+ ~["{$\r\n])+ '$'* { restart(); } -> type(UNCLOSED) ;
D_USD  : '$'+ { restart(); } -> type(UNCLOSED) ;
D_NL   : [\r\n]+ { restart(); } -> type(NL) ;
mode SQ;
S_MID  : SQTEXT '${' { open('}', SQ, X0); } -> type(STRING_MID) ;
S_END  : SQTEXT '\'' { close('\''); } -> type(STRING_END) ;
S_OPEN : (~['$\r\n] | '$'+ ~['{$\r\n])+ '$'* { restart(); } -> type(UNCLOSED) ;
S_USD  : '$'+ { restart(); } -> type(UNCLOSED) ;
S_NL   : [\r\n]+ { restart(); } -> type(NL) ;

// ---- {q, k, enorm.*} of a clause
mode SET;
SET_WS : [ \t\r\n]+ -> skip ;
SET_C  : '#' ~[\r\n]* -> type(COMMENT), channel(HIDDEN) ;
SET_W  : ([-/]* ([A-Za-z0-9_.*] | '^' [A-Za-z0-9_.*]))+ -> type(PIECE) ;
SET_COM: ',' -> type(COMMA) ;
SET_RC : '}' { close('}'); } -> type(RSET) ;
SET_SEM: ';' { restart(); } -> type(SEMI) ;
SET_ARR: '->' { arrow(); } -> type(ARROW) ;
SET_BAD: ([\u0080-\u00FF]+ | .) -> type(BAD) ;

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
