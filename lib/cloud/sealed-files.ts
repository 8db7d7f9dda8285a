/** The part of a script that writes the sealed files of first-boot data, once a cloud's own part has fetched them. */

/** Marks that the files are written. */
export const DONE = '/var/lib/slipway/first-boot-fetched';

/**
 * Shell, which needs jq.
 * @param extract  shell that writes the sealed part, as text, from `$answer` to the file `$sealed`
 */
export function writeSealed(extract: string): string {
  return `mkdir -p '${DONE.slice(0, DONE.lastIndexOf('/'))}'
sealed='${DONE}.part'
trap 'rm -f "$sealed"' EXIT
${extract}
jq -er '.storage.files | length' "$sealed" >/dev/null
jq -r '.storage.files[] | [.path, .mode, (.user.name // .user.id // 0), (.group.name // .group.id // 0), (if .append then "append" else "write" end), ((.contents.source // .append[0].source) | ltrimstr("data:;base64,"))] | @tsv' "$sealed" |
  while IFS="$(printf '\\t')" read -r path mode user group way content; do
    (umask 022 && mkdir -p "\${path%/*}/")
    : >"$path.slipway"
    if [ "$way" = append ] && [ -e "$path" ]; then cat "$path" >"$path.slipway"; fi
    printf '%s' "$content" | base64 -d >>"$path.slipway"
    chown "$user:$group" "$path.slipway"
    chmod "$(printf '%o' "$mode")" "$path.slipway"
    mv -f "$path.slipway" "$path"
    if command -v restorecon >/dev/null; then restorecon "$path" || true; fi
  done
: >'${DONE}'
`;
}

/** Shell that fails with a reason where the image has no jq. */
export const NEEDS_JQ = `if ! command -v jq >/dev/null; then
  echo 'slipway: cannot fetch first-boot data: this image has no jq' >&2
  exit 1
fi
`;
