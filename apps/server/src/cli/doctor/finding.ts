/** Something that is wrong, and what to do about it. */
export type Finding = { problem: string; remedy: string };

/** What became of one check. */
export type CheckResult = {
	check: string;
	/** What was seen, or why it was not looked at. */
	summary: string;
	status: "ok" | "problem" | "skipped";
	findings: Finding[];
};

/** @param whenFine what is said if nothing was found */
export function resultOf(check: string, findings: Finding[], whenFine: string): CheckResult {
	if (findings.length === 0) return { check, summary: whenFine, status: "ok", findings };
	return { check, summary: `${findings.length} found`, status: "problem", findings };
}

export const skipped = (check: string, summary: string): CheckResult => ({
	check,
	summary,
	status: "skipped",
	findings: [],
});
