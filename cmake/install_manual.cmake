# Run while installing: writes the manual pages and the shells' completions that the command prints.
set(share "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share")

function(write_output path)
  execute_process(COMMAND ${suffice} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${share}/${path} "${text}")
  message(STATUS "Installing: ${share}/${path}")
endfunction()

write_output(man/man1/suffice.1 help --man)
execute_process(COMMAND ${suffice} help --names OUTPUT_VARIABLE verbs COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[a-z-]+" verbs "${verbs}")
foreach(verb IN LISTS verbs)
  write_output(man/man1/suffice-${verb}.1 help --man ${verb})
endforeach()
write_output(bash-completion/completions/suffice completion bash)
write_output(zsh/site-functions/_suffice completion zsh)
write_output(fish/vendor_completions.d/suffice.fish completion fish)
