/** Why a form cannot be saved now; `null` if it can. */
export const whyNotSaved = (isChanged: boolean, isValid: boolean): string | null =>
	isChanged ? whyNotSent(isValid) : NOTHING_CHANGED;

/** Why a form cannot be sent now; `null` if it can. */
export const whyNotSent = (isValid: boolean): string | null =>
	isValid ? null : "Complete and correct the fields first.";

/** There is nothing to save, and nothing to go back to. */
export const NOTHING_CHANGED = "Nothing has changed.";
