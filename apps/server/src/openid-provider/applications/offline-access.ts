import { findApplication, type Named } from "./find-application";

/** Whether an application may outlive sessions. */
export const outlivesSession = async (named: Named): Promise<boolean> =>
	(await findApplication(named))?.offlineAccess ?? false;

/** How many days after the sign-in it may refresh its tokens. No application exceeds the service. */
export const maxRefreshDays = (ofService: number) => async (named: Named) =>
	Math.min(ofService, (await findApplication(named))?.refreshDays ?? ofService);
