const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const SHORT_DAY = new Intl.DateTimeFormat("en", {
	month: "short",
	day: "numeric",
	timeZone: "UTC",
});

/** `Nov 15, 2026, 7:04 AM`, where the reader is. */
export const formatMoment = (moment: string): string => MOMENT.format(new Date(moment));

export const formatDay = (moment: string): string => DAY.format(new Date(moment));

/** `Nov 15` of a day such as `2026-11-15`. */
export const formatShortDay = (day: string): string =>
	SHORT_DAY.format(new Date(`${day}T00:00:00Z`));
