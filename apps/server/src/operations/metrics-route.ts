import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { MiddlewareHandler } from "hono";
import { clientAddressHeader } from "../client-address";
import type { Metrics } from "../metrics/metrics";
import { hostOf } from "../tenant-domain";
import type { ManagerCheck } from "./managers";

/** For this machine, and for who may manage. */
export function metricsRoute(metrics: Metrics, requireManager: ManagerCheck): MiddlewareHandler {
	return async (c) => {
		if (!isFromThisMachine(c.req.raw)) {
			const answer = await requireManager(c.req.raw.headers);
			if ("refusal" in answer) return answer.refusal;
		}
		return c.body(await metrics.text(), 200, {
			"content-type": metrics.contentType,
			"cache-control": "no-store",
		});
	};
}

/** A proxy on this machine brings callers of any other: they give themselves away by these. */
const signsOfProxy = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

function isFromThisMachine(request: Request): boolean {
	const { headers } = request;
	if (signsOfProxy.some((name) => headers.has(name))) return false;
	return isLoopbackHost(headers.get(clientAddressHeader) ?? "") && isLoopbackHost(hostOf(request));
}
