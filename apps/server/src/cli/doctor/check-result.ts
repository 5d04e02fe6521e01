export type Finding = { problem: string; remedy: string };

export type CheckResult = {
	check: string;
	/** What was found, or why the check was skipped. */
	summary: string;
	status: "ok" | "problem" | "skipped";
	findings: Finding[];
};

/** @param okSummary the summary if there are no findings */
export function resultOf(check: string, findings: Finding[], okSummary: string): CheckResult {
	if (findings.length === 0) return { check, summary: okSummary, status: "ok", findings };
	return { check, summary: `${findings.length} found`, status: "problem", findings };
}

export const skipped = (check: string, summary: string): CheckResult => ({
	check,
	summary,
	status: "skipped",
	findings: [],
});
