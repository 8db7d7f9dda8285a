/**
 * Messages of providers without what differs from try to try: a status would change with each, and with it every XR
 * above.
 */

/** Ids that clouds give to calls and operations, with the words before them. */
const VOLATILE: readonly RegExp[] = [
  /,? ?\b(?:RequestID|HostID): [^\s,]{1,200}/g,
  /[.,;]? ?[("']?\b(?:correlation|activity|trac(?:e|king)|(?:client-)?request)[- ]?id["']? ?[:=]? ?["']?[0-9a-f-]{8,64}\b["')]?/gi,
  /[.,;]? ?["']?\btimestamp["']?: ?["']?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]{0,12}Z?["']?/gi,
  /[.,;]? ?\bEncoded authorization failure message: \S{1,4000}/g,
  /\boperation-\d{10,16}(?:-[0-9a-f]{4,16}){1,4}\b/g,
];
/** The words of a provider around what a cloud said: the kind of operation is in them three times. */
const AROUND = /\b(create|update|delete) failed: async \1 failed: failed to \1 the resource: \[\{0 /;
const END = /\s{1,2}\[\]\}\]$/;

/** The message with its cause, the same at every try. */
export function stableMessage(message: string): string {
  const stable = VOLATILE.reduce((text, volatile) => text.replaceAll(volatile, ''), message);
  return AROUND.test(stable) ? stable.replace(AROUND, '$1 failed: ').replace(END, '') : stable;
}
