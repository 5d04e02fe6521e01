import type { Backend } from "../auth";
import { sendLogoutTokens } from "../openid-provider/logout/send-logout-tokens";
import type { ServiceConfig } from "../settings/service-config";
import type { Job } from "./jobs";

const SECOND_MS = 1000;

/** Tells applications that sessions have ended, as often as webhooks get their events. */
export const logoutJob = (
	parts: Pick<Backend, "auth" | "log">,
	config: Pick<ServiceConfig, "baseUrl" | "tenantHosts" | "settings">,
): Job => ({
	name: "logout-tokens",
	everyMs: config.settings.intervals.webhookSeconds * SECOND_MS,
	// Each token belongs to the server that takes it first.
	isLocked: false,
	run: async (signal) => ({ ...(await sendLogoutTokens(parts, config, signal)) }),
});
