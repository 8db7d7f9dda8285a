/** HOST:PORT as given on a command line. */

export interface Address {
  /** Without the brackets of IPv6; empty: every address of this host, IPv4 and IPv6. */
  readonly host: string;
  readonly port: number;
}

/** The parts of HOST:PORT, [IPV6]:PORT or :PORT (every address); undefined when it is none of them. */
export function parseAddress(text: string): Address | undefined {
  const [, host = '', digits = ''] = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]*):([0-9]{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

export function formatAddress({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
