/** The instance types of EC2, as families and sizes: a type that is none is refused, as RunInstances refuses it. */

const FAMILIES =
  /^(a1|c[4-8](a|g|i|id|gd|gn|in|n|d|ib|ign|gb)?|d[23](en)?|f[12]|g[4-6](ad|dn|g|e|f)?|gr6f?|h1|hpc[67](a|g|id)|i[2-8](en|e|g|ge)?|i[ms]4gn?|inf[12]|m[4-8](a|g|i|id|gd|in|idn|n|d|dn|ad|zn|azn|gn|gb)?|m5zn|mac[12](-m[0-9](pro|ultra)?)?|p[2-6](d|de|dn|e|en|-b200)?|r[3-8](a|ad|b|d|dn|g|gd|gn|i|id|idn|in|iz|n|gb)?|t[1-4](a|g)?|trn[12]n?|u-?[0-9a-z-]*|vt1|x[12](idn|iedn|iezn|gd|e)?|x8(g|i|aedz)|z1d)$/;
const SIZES =
  /^(nano|micro|small|medium|large|xlarge|(2|3|4|6|8|9|10|12|16|18|24|32|48|56|96|112|224)xlarge|metal(-[0-9]+xl)?)$/;

export function isInstanceType(name: string): boolean {
  const [family = '', size = '', ...more] = name.split('.');
  return more.length === 0 && FAMILIES.test(family) && SIZES.test(size);
}

/** Of Graviton and Grace; all others that are known here are of Intel or AMD, and Apple's boot images of their own. */
const ARM =
  /^(a1|c[6-8]g([bdn]|dn)?|c7gn|g5g|hpc7g|i[48]ge?|im4gn|is4gen|m[678]g([bdn]|dn)?|p6e-gb[0-9]+|r[678]g([bdn]|dn)?|t4g|x2gd|x8g)$/;

export function architectureOf(name: string): 'amd64' | 'arm64' | undefined {
  const [family = ''] = name.split('.');
  if (!isInstanceType(name) || family.startsWith('mac')) return undefined;
  return ARM.test(family) ? 'arm64' : 'amd64';
}

/** As the provider reports it. */
export function noSuchType(name: string): string {
  return `operation error EC2: RunInstances, https response error StatusCode: 400, api error InvalidParameterValue: The following supplied instance types do not exist: [${name}]`;
}
