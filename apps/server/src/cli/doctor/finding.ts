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

export function resultOf(check: string, findings: Finding[], summary: string): CheckResult {
	return { check, summary, status: findings.length > 0 ? "problem" : "ok", findings };
}

export const skipped = (check: string, summary: string): CheckResult => ({
	check,
	summary,
	status: "skipped",
	findings: [],
});
