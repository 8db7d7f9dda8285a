/**
 * The metadata service for bootstrap plans that name none. These are plans of Clusters whose status was written before
 * it contained the service, and plans of third-party bootstrappers that do not copy it; all of them were on AWS.
 */
export { EC2_METADATA_SERVICE as PRESUMED_METADATA_SERVICE } from './aws/metadata-service.ts';
