/** Shells that can complete; each script asks orchctl itself what may come next. */
export const SCRIPTS = {
  bash: `# bash completion of orchctl; to have it in every shell:
#   orchctl completion bash > ~/.local/share/bash-completion/completions/orchctl
_orchctl() {
  local words cur prefix line
  COMPREPLY=()
  read -ra words <<< "\${COMP_LINE:0:COMP_POINT}"
  [[ "\${COMP_LINE:0:COMP_POINT}" == *[[:space:]] ]] && words+=("")
  cur="\${words[-1]}"
  # bash replaces only what stands behind the last character at which it breaks words.
  prefix=""
  if [[ "$cur" == *[=:]* ]]; then prefix="\${cur%"\${cur##*[=:]}"}"; fi
  while IFS=$'\\t' read -r line _; do
    case "$line" in
      :files) compopt -o default 2>/dev/null ;;
      */) compopt -o nospace 2>/dev/null; COMPREPLY+=("\${line#"$prefix"}") ;;
      *) COMPREPLY+=("\${line#"$prefix"}") ;;
    esac
  done < <("\${words[0]}" __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _orchctl orchctl
`,
  zsh: `#compdef orchctl
# zsh completion of orchctl; to have it in every shell, into a folder of $fpath:
#   orchctl completion zsh > "\${fpath[1]}/_orchctl"
_orchctl() {
  local line files name
  local -a plain open
  while IFS= read -r line; do
    name="\${line%%$'\\t'*}"
    if [[ "$line" == ":files" ]]; then files=1
    elif [[ "$name" == */ ]]; then open+=("$name")
    elif [[ "$line" == *$'\\t'* ]]; then plain+=("\${name//:/\\\\:}:\${line#*$'\\t'}")
    else plain+=("\${name//:/\\\\:}")
    fi
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#plain} )) && _describe orchctl plain
  (( \${#open} )) && compadd -S '' -a open
  [[ -n "$files" ]] && _files
}
if [ "$funcstack[1]" = "_orchctl" ]; then _orchctl "$@"; else compdef _orchctl orchctl; fi
`,
  fish: `# fish completion of orchctl; to have it in every shell:
#   orchctl completion fish > ~/.config/fish/completions/orchctl.fish
function __orchctl_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] __complete -- $words[2..-1] 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c orchctl -f -a '(__orchctl_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;
