/** How Bottlerocket reads `spec.bootstrap.config`, which refuses what it cannot have. */
import type { ConfigRules } from '../claim-config.ts';
import type { BottlerocketConfig } from './config.ts';
import { readConfig } from './read-config.ts';

export const bottlerocketRules: ConfigRules<BottlerocketConfig> = { read: readConfig, ofTheCluster: [], flags: {} };
