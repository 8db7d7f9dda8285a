/** The sizes of Azure, as families, numbers of vCPUs and features: a size that is none is refused. */

const FAMILIES = new Set('A B D DC E EC F FX G GS H HB HC HX L M NC ND NG NV NP NM'.split(' '));
const COUNTS = new Set(
  [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 15, 16, 18, 20, 24, 30, 32, 36, 40, 44, 48, 60, 64, 72, 80, 96, 104, 112, 120, 128,
    144, 160, 176, 192, 208, 416, 448, 832,
  ].map(String),
);
/** Features are small letters, such as a for AMD and s for premium disks; then accelerators and a version. */
const SIZE = /^(?:Standard|Basic)_([A-Z]{1,2})([0-9]+)(?:-[0-9]+)?[abdeilmprst]*(?:_[A-Z][A-Za-z0-9]*)*(?:_v[1-9])?$/;

/** Of Ampere, Cobalt and Grace. */
const ARM = /^Standard_[BDE][0-9]+(-[0-9]+)?p[dlst]*_v[0-9]$|_GB[0-9]+_/;

export function architectureOf(name: string): 'amd64' | 'arm64' | undefined {
  if (!isSize(name)) return undefined;
  return ARM.test(name) ? 'arm64' : 'amd64';
}

export function isSize(name: string): boolean {
  const [, family = '', count = ''] = SIZE.exec(name) ?? [];
  return FAMILIES.has(family) && COUNTS.has(count);
}
