# Lexer and parser made from grammar/Aoir*.g4, in a target of their own as those of scripts.
aoa_grammar(aoaIRGrammar Aoir "IR text")
target_link_libraries(aoaIRText PRIVATE aoaIRGrammar)
# The runtime's headers use what C++17 and later deprecate.
target_compile_options(aoaIRText PRIVATE -Wno-deprecated -Wno-deprecated-declarations)
