# Writes OUTPUT, a header with the text of each file of INPUTS as a C string (naive.cl: naive_cl).
set(text "/* Made from the .cl files. */\n")
foreach(input ${INPUTS})
  get_filename_component(name ${input} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${input} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${hex}")
  string(APPEND text "static const char ${name}_bytes[] = {${bytes}0};\n"
    "static const char *const ${name} = ${name}_bytes;\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
