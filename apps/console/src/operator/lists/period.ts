/** The bounds of a period as the endpoints take them. Days start and end in the browser's time zone. */
export function periodOf(read: (name: "since" | "until") => string) {
	const [since, until] = [read("since"), read("until")];
	return {
		...(isDay(since) ? { since: startOfDay(since) } : {}),
		...(isDay(until) ? { until: startOfDay(until, 1) } : {}),
	};
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function startOfDay(day: string, daysLater = 0): string {
	const date = new Date(`${day}T00:00:00`);
	date.setDate(date.getDate() + daysLater);
	return date.toISOString();
}
