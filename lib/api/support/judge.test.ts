/** A flavour refuses a field by name: the first one that asks for something, with what is accepted in its place. */
import { expect, test } from 'vitest';
import { refusedFields } from './judge.ts';
import { BY_FLAVOUR, type FlavourField } from './rows.ts';
import { type FlavourColumn, honoured, refused, type Support } from './support.ts';

const ALL = Object.fromEntries(Object.keys(BY_FLAVOUR).map((field) => [field, honoured()]));

/** Without the name of its row. */
function refusedField(...claim: Parameters<typeof refusedFields>): object | undefined {
  const [first] = refusedFields(...claim);
  if (first === undefined) return undefined;
  const { row: _row, ...found } = first;
  return found;
}

function column(cells: Partial<Record<FlavourField, Support>>): FlavourColumn {
  return { title: 'Cumulus', fields: { ...ALL, ...cells } as FlavourColumn['fields'] };
}

const noDisks = column({ 'machine.rootDisk.sizeGiB': refused('40'), 'machine.rootDisk.type': refused('none') });

test('a value is refused at its place in each kind', () => {
  const machine = { class: 'standard-2', rootDisk: { sizeGiB: 100 } };
  const found = (field: string) => ({ field, value: 100, accepted: '40' });
  expect(refusedField('NodePool', { machine }, noDisks)).toEqual(found('spec.machine.rootDisk.sizeGiB'));
  expect(refusedField('Machine', { machine }, noDisks)).toEqual(found('spec.machine.rootDisk.sizeGiB'));
  expect(refusedField('Cluster', { controlPlane: { machine } }, noDisks)).toEqual(
    found('spec.controlPlane.machine.rootDisk.sizeGiB'),
  );
});

test('what a default fills in asks for nothing', () => {
  const machine = { class: 'standard-2', rootDisk: { sizeGiB: 40, encrypted: true } };
  expect(refusedField('NodePool', { machine }, noDisks)).toBeUndefined();
  expect(refusedField('NodePool', {}, noDisks)).toBeUndefined();
});

test('nor does an empty list', () => {
  const none = column({ 'machine.zones': refused('none') });
  expect(refusedField('NodePool', { machine: { zones: [] } }, none)).toBeUndefined();
  expect(refusedField('NodePool', { machine: { zones: ['a'] } }, none)).toMatchObject({ value: ['a'] });
});

test('values of the cell are accepted', () => {
  const linux = column({ 'machine.os': refused('linux', 'linux') });
  expect(refusedField('NodePool', { machine: { os: 'linux' } }, linux)).toBeUndefined();
  expect(refusedField('NodePool', { machine: { os: 'windows' } }, linux)).toMatchObject({ accepted: 'linux' });
});

test('an item of a list is named by its index', () => {
  const one = column({ 'infrastructure.existing.subnets[].public': refused('false') });
  const subnets = [
    { id: 'a', zone: 'a', public: false },
    { id: 'b', zone: 'b', public: true },
  ];
  expect(refusedField('Cluster', { infrastructure: { existing: { subnets } } }, one)).toMatchObject({
    field: 'spec.infrastructure.existing.subnets[1].public',
  });
});

test('every field that is refused is found, in the order of the column', () => {
  const machine = { class: 'standard-2', rootDisk: { sizeGiB: 100, type: 'fast' } };
  expect(refusedFields('NodePool', { machine }, noDisks).map(({ row }) => row)).toEqual([
    'machine.rootDisk.sizeGiB',
    'machine.rootDisk.type',
  ]);
});

test('a list of which nothing is accepted is refused as a whole, and one with a field that is accepted is not', () => {
  const machine = { class: 'standard-2', dataDisks: [{ name: 'data', sizeGiB: 100 }] };
  const fields = ['name', 'sizeGiB', 'type', 'encrypted'].map((name) => `machine.dataDisks[].${name}` as FlavourField);
  const cells = (...names: readonly FlavourField[]): FlavourColumn =>
    column(Object.fromEntries(names.map((name) => [name, refused('none')])));
  const [first] = refusedFields('NodePool', { machine }, cells(...fields));
  expect(first?.inList).toEqual({ path: 'spec.machine.dataDisks', value: machine.dataDisks });
  const [one] = refusedFields('NodePool', { machine }, cells(...fields.slice(0, 3)));
  expect(one?.inList).toBeUndefined();
});
