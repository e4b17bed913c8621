# Lexer and parser made from grammar/Aoa*.g4.
aoa_grammar(aoaGrammar Aoa "scripts")
target_link_libraries(aoaParse PRIVATE aoaGrammar)
# The runtime's headers use what C++17 and later deprecate.
target_compile_options(aoaParse PRIVATE -Wno-deprecated -Wno-deprecated-declarations)
