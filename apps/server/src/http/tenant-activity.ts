import type { MiddlewareHandler } from "hono";
import type { Backend } from "../auth";
import { lastDays } from "../database/daily-counts";
import { KEPT_DAYS, type TenantDays, type TenantFigures } from "../database/tenant-days";
import { findTenants } from "./operator-search";

/** So many tenants the overview shows. */
const MAX_SHOWN = 5;
/** Some of those who were found may have been deleted. */
const MAX_READ = 2 * MAX_SHOWN;

/**
 * The tenants with the most failures, the slowest ones and those with the most sign-ins, on one day or in the
 * last days.
 */
export function tenantActivity(
	backend: Pick<Backend, "auth">,
	tenantDays: Pick<TenantDays, "list">,
): MiddlewareHandler {
	const nameThem = async (figures: TenantFigures[]) => {
		const tenants = await findTenants(
			backend,
			figures.map(({ tenantId }) => tenantId),
		);
		return figures
			.flatMap(({ tenantId, ...rest }) => {
				const tenant = tenants.get(tenantId);
				return tenant ? [{ tenant, ...rest }] : [];
			})
			.slice(0, MAX_SHOWN);
	};
	return async (c) => {
		const known = lastDays(KEPT_DAYS);
		const day = c.req.query("day");
		const days = c.req.query("days") ?? "7";
		if (day !== undefined ? !known.includes(day) : !isCount(days)) {
			const message = `[query] Send a day of the last ${KEPT_DAYS} days, or a number of days up to ${KEPT_DAYS}`;
			return c.json({ code: "VALIDATION_ERROR", message }, 400);
		}
		const first = day ?? known.at(-Number(days)) ?? "";
		const last = day ?? known.at(-1) ?? "";
		const busiest = await tenantDays.list("busiest", first, last, MAX_READ);
		const failing = await tenantDays.list("failing", first, last, MAX_READ);
		const slowest = await tenantDays.list("slowest", first, last, MAX_READ);
		return c.json({
			...{ since: first, until: last },
			failing: (await nameThem(failing)).map(({ tenant, signIns, failures, errors }) => ({
				...{ tenant, signIns, failures, errors },
			})),
			busiest: (await nameThem(busiest)).map(({ tenant, signIns }) => ({ tenant, signIns })),
			slowest: (await nameThem(slowest)).map(({ tenant, requests, milliseconds }) => ({
				...{ tenant, requests },
				averageMilliseconds: Math.round(milliseconds / requests),
			})),
		});
	};
}

const isCount = (text: string) => /^\d{1,2}$/.test(text) && +text >= 1 && +text <= KEPT_DAYS;
