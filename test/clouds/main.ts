/** `npm run inventory`: the table of what the portable claims come to on each flavour, under the longest names. */
import { inventoryOf, printed, secretsInClear } from './inventory.ts';
import { FLAVOURS, longest, portableClaims } from './portable.ts';
import { settled } from './settled.ts';

const asked = process.argv.slice(2);
const unknown = asked.find((flavour) => !FLAVOURS.includes(flavour));
if (unknown !== undefined) {
  console.error(`cannot print the inventory of "${unknown}": accepted: ${FLAVOURS.join(', ')}`);
  process.exit(2);
}
for (const flavour of asked.length === 0 ? FLAVOURS : asked) {
  const objects = await settled(flavour, longest(portableClaims(flavour)));
  console.log(`${flavour}\n\n${printed(inventoryOf(objects), secretsInClear(objects))}`);
}
