import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { TextField } from "../../ui/TextField";
import { isSlugTaken } from "../api/tenants";
import { findSlugProblem } from "./slug-rules";

type SlugFieldProps = {
	value: string;
	onChange: (slug: string) => void;
	/** The slug that the tenant has already. */
	current?: string;
	/** What the service said of it. */
	error?: string | undefined;
};

/** Tells while one types whether a slug can be had. */
export function SlugField({ value, onChange, current, error }: SlugFieldProps) {
	const settled = useSettled(value, 300);
	const problem = value && value !== current ? findSlugProblem(value) : null;
	const isAsked = settled === value && value !== "" && value !== current && problem === null;
	const { data: isTaken, isFetching } = useQuery({
		queryKey: ["slug", settled],
		queryFn: () => isSlugTaken(settled),
		enabled: isAsked,
		// Somebody else may take it meanwhile.
		staleTime: 2000,
	});
	const taken = isAsked && isTaken ? `“${value}” is taken.` : null;
	return (
		<>
			<TextField
				label="Slug"
				hint={hintFor(isAsked && isTaken === false && !isFetching, value)}
				value={value}
				onChange={(event) => onChange(event.target.value.trim())}
				error={problem ?? taken ?? error}
				maxLength={80}
				autoCapitalize="none"
				autoComplete="off"
				spellCheck={false}
				required
			/>
			<span className="visually-hidden" role="status">
				{problem ?? taken ?? ""}
			</span>
		</>
	);
}

function hintFor(isFree: boolean, slug: string) {
	if (isFree) return <span className="good">“{slug}” is free.</span>;
	return "In the addresses of its pages: lowercase letters, digits and hyphens.";
}

/** The value once it has not changed for a while. */
function useSettled(value: string, pause: number): string {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), pause);
		return () => clearTimeout(timer);
	}, [value, pause]);
	return settled;
}
