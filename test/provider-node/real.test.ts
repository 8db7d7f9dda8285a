/** The controller does what every implementation of WorkloadNodes has to do. */
import { describeProviderNode } from './conformance.ts';
import { realPlayer } from './real-player.ts';

describeProviderNode(realPlayer);
