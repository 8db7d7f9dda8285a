import { expect, test } from 'vitest';
import { items, parsed, tagsOf, textAt } from './xml.ts';

const ANSWER = parsed(`<?xml version="1.0"?>
<DescribeVolumesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
  <volumeSet>
    <item><volumeId>vol-1</volumeId><attachmentSet/><tagSet><item><key>Name</key><value>a&amp;b</value></item></tagSet></item>
    <item><volumeId>vol-2</volumeId><size>7</size></item>
  </volumeSet>
</DescribeVolumesResponse>`);

test('reads lists, empty elements and tags', () => {
  const [first, second] = items(ANSWER, 'volumeSet');
  expect([first, second].map((one) => textAt(one, 'volumeId'))).toEqual(['vol-1', 'vol-2']);
  expect(items(first, 'attachmentSet')).toEqual([]);
  expect(tagsOf(first!).get('Name')).toBe('a&b');
  expect(textAt(second, 'size')).toBe('7');
});

test('an element that is absent is empty', () => {
  expect([textAt(ANSWER, 'volumeSet', 'none'), items(ANSWER, 'none')]).toEqual(['', []]);
});
