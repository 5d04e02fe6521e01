const UNITS = [
	["day", 24 * 60 * 60],
	["hour", 60 * 60],
	["minute", 60],
	["second", 1],
] as const;

/** How often something is done: "Every 2 hours". */
export function describeInterval(seconds: number): string {
	if (seconds === 0) return "Never by itself";
	const [unit, size] = UNITS.find(([, length]) => seconds % length === 0) ?? ["second", 1];
	const count = seconds / size;
	return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
}
