import { useEffect, useState } from "react";

/** The value after it has not changed for some milliseconds. */
export function useSettledValue(value: string, delay: number): string {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), delay);
		return () => clearTimeout(timer);
	}, [value, delay]);
	return settled;
}
