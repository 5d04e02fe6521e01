import { currentScope } from "../call/context/current-scope";
import { findEndpoint, findState } from "../call/context/current-state";
import { isByManagement } from "../call/context/managed-user";
import type { FoundSession } from "../call/context/presented-sessions";
import type { TenantInstance } from "../call/context/request-state";
import { PLATFORM_ID, tenantIdIn, tenantIdOf } from "../call/context/tenant";
import type { NewSession } from "../call/port/tenant-plugin";
import type { InternalAdapter, StageParts } from "../database/internal-adapter";

/** Whether a plugin wants to see each session before it is used. */
export const featuresAdmit = ({ features }: TenantInstance): boolean =>
	features.sessionStages.some(({ admits }) => admits);

/** Lets the plugins of the app take part when a session of a tenant is created or found. */
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

	const creation: StageParts = {
		beforeSession: async (userId) => {
			const session = await describe(userId);
			if (session) for (const { before } of stages) await before?.(session);
		},
		afterSession: async ({ userId }) => {
			const session = await describe(userId);
			if (session) for (const { after } of stages) await after?.(session);
		},
	};
	if (!featuresAdmit(instance)) return creation;
	return {
		...creation,
		findSession: async (token) => {
			const found = await inner.findSession(token);
			return found && (await admits(found)) ? found : null;
		},
		findSessions: async (tokens, options) => {
			const all = await inner.findSessions(tokens, options);
			const admitted = await Promise.all(all.map(admits));
			return all.filter((_, index) => admitted[index]);
		},
	};
}
