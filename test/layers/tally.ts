/** Which places a change touched: `npm run tally -- <range of commits>` prints the number of files of each. */
import { execFileSync } from 'node:child_process';

/** Folders of one cloud, which it adds; everything else is outside of its rooms. */
const ROOMS =
  /^(clouds|compositions|examples\/portable\/overlays|examples|package\/configuration)[/-](?<cloud>[a-z]+)\//;

export function tally(paths: readonly string[], cloud: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const place = placeOf(path, cloud);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([place, count]) => `${count}\t${place}`);
}

/** The room of the cloud, or the file itself. */
function placeOf(path: string, cloud: string): string {
  const room = ROOMS.exec(path);
  return room?.groups?.['cloud'] === cloud ? room[0] : path;
}

if (import.meta.main) {
  const [range = 'HEAD~1..HEAD', cloud = 'azure'] = process.argv.slice(2);
  const paths = execFileSync('git', ['diff', '--name-only', range], { encoding: 'utf8' }).split('\n').filter(Boolean);
  process.stdout.write(`${tally(paths, cloud).join('\n')}\n`);
}
