/** Expressions that recheck does not call linear, by the reason why they stay. */
export const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'the command line of a person, or what commander says of it': [
    String.raw`/^option '.*?(--[a-z-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/`,
    String.raw`/^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/`,
    String.raw`/^option '.*?(--[a-z-]+).*' argument missing$/`,
    String.raw`/^option '.*?(--[a-z-]+).*' cannot be used with option '.*?(--[a-z-]+).*'$/`,
    String.raw`/^too many arguments(?: for '.*')?\. Expected (\d+) arguments? but got \d+: (.*)\.$/`,
    String.raw`/^(?:error: )?(?<message>.*?)(?:\n\(Did you mean (?:one of )?(?<meant>.*)\?\))?$/s`,
    String.raw`/\.?\s*\n|\. /`,
  ],
  'a message about a call: at most 1 kB': [
    String.raw`/(?:cannot run|pipeline) step "[^"]*"(?: of Composition "[^"]*")?(?: \(function [^)]*\))?(?: returned a fatal result)?: (?<said>.*)$/s`,
    String.raw`/[A-Z]\w+ "[^"]+"/g`,
    String.raw`/\bkind [A-Z]\w+|[A-Z]\w+ $/`,
    String.raw`/^No connection established\. Last error: (.*?)(?: \(\d{4}-[^)]*\))?$/s`,
  ],
  'a file of the person who runs the command, and at most the square of its length': [
    String.raw`/^Content-Type: multipart\/[^\n]*boundary="(?<boundary>[^"\n]+)"/m`,
    String.raw`/\.m\.[^/]+\//`,
    String.raw`/"(?<text>(?:[^"\\]|\\.)*)"(?<key>\s*:)?|\/\/[^\n]*|\/\*[^]*?\*\/|[[\]{}]/g`,
    String.raw`/Flow sequence in block .* a \]$/`,
    String.raw`/Flow map in block .* a \}$/`,
  ],
  'recheck does not read the flag d; a text of a person or a Secret, and at most the square of its length': [
    String.raw`/-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----\s*(?<value>\S[^]*?)\s*(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----|$)/dg`,
    String.raw`/:\/\/[^\s/:@]+:(?<value>[^\s/@$]+)(?=@)/dg`,
    String.raw`/\b(?:Bearer|Basic)\s+(?<value>[\w.~+/=-]{8,})/dg`,
    String.raw`/--(?:token|password)\s+(?<value>[^\s"'$;&|)]+)/dg`,
    String.raw`/(?<value>\$(?:1|2[aby]|5|6|y)\$[./A-Za-z0-9$=,]{8,})/dg`,
    String.raw`/\b(?<value>[a-z0-9]{6}\.[a-z0-9]{16})\b/dg`,
  ],
  'what the simulator itself wrote, and at most the square of its length': [
    String.raw`/^\s*k8s (bootstrap|join-cluster) .*--file (\S+)/m`,
    String.raw`/\bv1\.[0-9]+\.[0-9]+[-.0-9A-Za-z]*\+(k3s|rke2r)[0-9]+\b/`,
  ],
  'recheck gives up because of its size; each part begins with another character, so that one way fits': [
    String.raw`/^(micro|small|medium|(standard|highmem|highcpu|megamem|ultramem|hypermem|highgpu|megagpu|ultragpu|edgegpu|maxgpu|hightpu)-[0-9]+[gt]?(-(lssd|standardlssd|highlssd|metal|nolssd))*|custom-(micro|small|medium|[0-9]+)-[0-9]+(-ext)?)$/`,
    String.raw`/^spec\.(bootstrap\.config|provisioning)(?:\.([\w-]+)(?:\.([\w-]+)|\["([^"]+)"\])?)?(?:\[(\d+)\])?(.*)$/`,
  ],
  'each of some hundred characters is tried with at most 32 more': [String.raw`/^.*[,{[:](?=.{0,32}$)/su`],
  'the path of a field: some hundred characters, and at most the square of its length': [
    String.raw`/(password|secret|token|certificate)[A-Za-z]*(\[\d+\])?$/i`,
  ],
  'begins at one place of each run, or of the text: V8 takes time in proportion to the texts that recheck makes': [
    String.raw`/(?:\/(?!\s)(?:\\[,:=#*?!^ \\\[\]]|[^,:#\\])+|\^\S*\$(?=[\s,:#]|$)(?:\s(?:\\[,:=#*?!^ \\\[\]]|[^,:#\\])*)?|sudoedit\b(?:\s(?:\\[,:=#*?!^ \\\[\]]|[^,:#\\])*)?|list\b|[A-Z][A-Z0-9_]*)/y`,
    String.raw`/^-+|(?<!-)-+$/g`,
    String.raw`/(?<![0-9])[0-9]+$/`,
  ],
  'a message of a cloud: from each place at most 99 characters are tried with at most 99 more': [
    String.raw`/\bUnsupported: [^()\n]{0,99}\binstance type \(\S{1,99}\) is not supported in your requested Availability Zone\b.*/`,
  ],
};
