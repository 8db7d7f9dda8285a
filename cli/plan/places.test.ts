/** A refusal that is only known by its words has the field that they name. */
import { expect, test } from 'vitest';
import { fieldIn } from './places.ts';

const STEP =
  'cannot run step "bootstrap" of Composition "clusters.shop.example.org" (function tiny at 127.0.0.1:19443): ';

test.for([
  [
    `${STEP}cannot accept Cluster "team-b/shop": spec.bootstrap.provider: "x" is not accepted`,
    'spec.bootstrap.provider',
  ],
  [`${STEP}cannot accept Cluster "team-b/shop": it is too old`, ''],
  [`${STEP}spec.bootstrap.provider: "x" is not accepted`, 'spec.bootstrap.provider'],
  [`${STEP}unknown provider in spec.bootstrap.provider`, 'spec.bootstrap.provider'],
  [`${STEP}invalid value for spec.provisioning.files[1].path.`, 'spec.provisioning.files[1].path'],
  [`${STEP}metadata.annotations["example.org/a"] is empty`, 'metadata.annotations["example.org/a"]'],
  [
    'cannot compose resources: pipeline step "bootstrap" returned a fatal result: spec.bootstrap.provider: why',
    'spec.bootstrap.provider',
  ],
  [`${STEP}the "spec.region" is bad`, 'spec.region'],
  [`${STEP}spec.bootstrap.config.extraSANs is odd`, 'spec.bootstrap.config.extraSANs'],
  [`${STEP}spec.version of Cluster "team-b/shop" is too old`, 'spec.version of Cluster "team-b/shop"'],
  [`${STEP}Cluster "team-b/shop" has an old spec.version`, 'spec.version of Cluster "team-b/shop"'],
  [`${STEP}Secret "team-b/x" has no metadata.labels`, 'metadata.labels of Secret "team-b/x"'],
  [`${STEP}resource "vpc" of kind VPC: spec.forProvider.cidrBlock is required`, undefined],
  [`${STEP}resource "vpc" of kind VPC: metadata.labels is required`, undefined],
  [`${STEP}MachineInput spec.images is empty`, undefined],
  [`${STEP}MachineInput metadata.labels is empty`, undefined],
  [`${STEP}spec.rgion is bad`, undefined],
  [
    'cannot accept EnvironmentConfig "slipway-aws": data.class: unknown field',
    'data.class of EnvironmentConfig "slipway-aws"',
  ],
  [
    'cannot accept EnvironmentConfig "slipway-aws": data.images["a b: c"].home: 7 is not accepted',
    'data.images["a b: c"].home of EnvironmentConfig "slipway-aws"',
  ],
  ['cannot accept EnvironmentConfig "slipway-aws": it is too old', ''],
  [`${STEP}connection refused`, undefined],
  [`${STEP}cannot read https://example.org/spec.html`, undefined],
  ['waiting for spec.region', undefined],
] as const)('%s', ([message, field]) => {
  expect(fieldIn(message)).toBe(field);
});
