/** The bounds of a period as the endpoints take them. Days start and end in the browser's time zone. */
export function periodOf(read: (name: "since" | "until") => string) {
	const [since, until] = [read("since"), read("until")];
	return {
		...(isDay(since) ? { since: startOfDay(since) } : {}),
		...(isDay(until) ? { until: startOfDay(until, 1) } : {}),
	};
}

/** The last days in the browser's time zone, oldest first. Today is the last one. */
export function lastDays(count: number): string[] {
	const today = new Date();
	return Array.from({ length: count }, (_, index) => {
		const day = new Date(
			today.getFullYear(),
			today.getMonth(),
			today.getDate() - count + 1 + index,
		);
		const [month, date] = [day.getMonth() + 1, day.getDate()].map((part) =>
			String(part).padStart(2, "0"),
		);
		return `${day.getFullYear()}-${month}-${date}`;
	});
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function startOfDay(day: string, daysLater = 0): string {
	const date = new Date(`${day}T00:00:00`);
	date.setDate(date.getDate() + daysLater);
	return date.toISOString();
}
