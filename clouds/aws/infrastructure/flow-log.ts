/** The flow log of a composed VPC, whose destination belongs to the platform. */
import type { JsonObject } from '#lib/api/json.ts';
import { shortHash } from '#lib/api/names.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import type { FlowLogs } from './input.ts';
import { managed, vpc } from './resource.ts';
import type { Site } from './site.ts';
import { unownedTags } from './tags.ts';

/**
 * AWS cannot change a flow log. Its key depends on its settings, so other settings are another object, and this one is
 * deleted. It has no ownership tag: no machine may change it.
 */
export function flowLog(site: Site): readonly Entry[] {
  const { flowLogs } = site.input.aws;
  if (flowLogs === undefined) return [];
  const settings = settingsOf(flowLogs);
  const key = `flow-log-${shortHash([JSON.stringify(settings)], 6)}`;
  return [managed(site, 'FlowLog', key, { ...vpc(site), ...settings, tags: unownedTags(site, key, 'common') })];
}

function settingsOf({ destination, role, trafficType, maxAggregationSeconds }: FlowLogs): JsonObject {
  return {
    logDestination: destination,
    logDestinationType: role === undefined ? 's3' : 'cloud-watch-logs',
    ...(role === undefined ? {} : { iamRoleArn: role }),
    trafficType,
    maxAggregationInterval: maxAggregationSeconds,
  };
}
