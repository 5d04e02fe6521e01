import type { AuditQuery } from "../api/audit";

/** What is in the address. */
export const FILTERS = ["tenant", "action", "actor", "target", "since", "until"];

/** As the endpoint takes them. A day begins and ends where the reader is. */
export function filtersIn(read: (name: string) => string): Partial<AuditQuery> {
	const [tenantId, action, actorId, targetId, since, until] = FILTERS.map((name) =>
		read(name).trim(),
	);
	return {
		...(tenantId ? { tenantId } : {}),
		...(action ? { action } : {}),
		...(actorId ? { actorId } : {}),
		...(targetId ? { targetId } : {}),
		...(since && isDay(since) ? { since: startOf(since, 0) } : {}),
		...(until && isDay(until) ? { until: startOf(until, 1) } : {}),
	};
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function startOf(day: string, daysLater: number): string {
	const moment = new Date(`${day}T00:00:00`);
	moment.setDate(moment.getDate() + daysLater);
	return moment.toISOString();
}
