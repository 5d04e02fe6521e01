import { currentScope } from "../call/context/current-scope";
import { findEndpoint, findState } from "../call/context/current-state";
import { rulesOf } from "../call/context/endpoint-rules";
import { isByManagement } from "../call/context/policy-check";
import type { TenantInstance } from "../call/context/request-state";
import { PLATFORM_ID, tenantIdIn, tenantIdOf } from "../call/context/tenant";
import type { NewSession } from "../call/port/tenant-plugin";
import type { FoundSession, InternalAdapter, StageParts } from "../database/internal-adapter";

/** Whether a plugin wants to see each session before it is used. */
export const featuresAdmit = ({ features }: TenantInstance): boolean =>
	features.sessionStages.some(({ admits }) => admits);

/** Lets the plugins of the app take part when a session of a tenant is created, found or signed out. */
export function askFeatures(inner: InternalAdapter, instance: TenantInstance): StageParts {
	const stages = instance.features.sessionStages;
	if (stages.length === 0) return {};

	async function describe(userId: string): Promise<NewSession | null> {
		const tenantId = tenantIdIn(await currentScope(instance));
		if (tenantId === null) return null;
		const endpoint = findEndpoint() ?? null;
		return { endpoint, tenantId, userId, isByManagement: isByManagement() };
	}

	async function admits(found: FoundSession): Promise<boolean> {
		const tenantId = tenantIdOf(found.session);
		if (tenantId === PLATFORM_ID) return true;
		for (const stage of stages) {
			if (stage.admits && !(await stage.admits(found, tenantId))) {
				// Its cookies stay: it may be valid again, or elsewhere.
				findState(instance)?.rejectSession(found.session.token);
				return false;
			}
		}
		return true;
	}

	return {
		...(featuresAdmit(instance) ? { admits } : {}),
		beforeSession: async (userId) => {
			const session = await describe(userId);
			if (session) for (const { before } of stages) await before?.(session);
		},
		afterSession: async ({ userId }) => {
			const session = await describe(userId);
			if (session) for (const { after } of stages) await after?.(session);
		},
		deleteSession: async (token) => {
			await inner.deleteSession(token);
			const endpoint = findEndpoint();
			if (!endpoint || !rulesOf(endpoint.path).signsOut) return;
			for (const { signedOut } of stages) await signedOut?.(endpoint, token);
		},
	};
}
