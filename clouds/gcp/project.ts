/** The project that a resource is in, from the ids that GCP gives: projects/<project>/regions/… */

export function projectIn(id: string | undefined): string | undefined {
  return /(?:^|\/)projects\/([^/]+)\//.exec(id ?? '')?.[1];
}
