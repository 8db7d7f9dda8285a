/**
 * Whom a machine asks whose bootstrap plan does not say. Those are plans of Clusters whose status is from before it said so,
 * and of bootstrappers that do not hand it on; all of them were on AWS.
 */
export { EC2_METADATA_SERVICE as PRESUMED_METADATA_SERVICE } from './aws/metadata-service.ts';
