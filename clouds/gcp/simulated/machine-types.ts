/** The machine types of Compute Engine, as families and sizes: a type that is none is refused, as instances.insert refuses it. */

const FAMILIES = new Set(
  'a2 a3 a4 a4x c2 c2d c3 c3d c4 c4a c4d e2 f1 g1 g2 g4 h3 h4d m1 m2 m3 m4 n1 n2 n2d n4 n4a n4d t2a t2d x4 z3 ct3 ct3p ct5l ct5lp ct5p ct6e'.split(
    ' ',
  ),
);
const SIZES =
  /^(micro|small|medium|(standard|highmem|highcpu|megamem|ultramem|hypermem|highgpu|megagpu|ultragpu|edgegpu|maxgpu|hightpu)-[0-9]+[gt]?(-(lssd|standardlssd|highlssd|metal|nolssd))*|custom-(micro|small|medium|[0-9]+)-[0-9]+(-ext)?)$/;

export function isMachineType(name: string): boolean {
  if (/^custom-[0-9]+-[0-9]+(-ext)?$/.test(name)) return true;
  const end = name.indexOf('-');
  return end > 0 && FAMILIES.has(name.slice(0, end)) && SIZES.test(name.slice(end + 1));
}

/** Of Ampere, Axion and Grace. */
const ARM = new Set(['t2a', 'c4a', 'n4a', 'a4x']);

export function architectureOf(name: string): 'amd64' | 'arm64' | undefined {
  if (!isMachineType(name)) return undefined;
  return ARM.has(name.slice(0, name.indexOf('-'))) ? 'arm64' : 'amd64';
}

/** As the provider reports it. */
export function noSuchType(name: string, zone: string): string {
  return `googleapi: Error 400: Invalid value for field 'resource.machineType': 'zones/${zone}/machineTypes/${name}'. Machine type with name '${name}' does not exist in zone '${zone}'., invalid`;
}
