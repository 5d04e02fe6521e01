import { useQuery } from "@tanstack/react-query";
import { findSlugProblem, MAX_JSON_BYTES, MAX_NAME_LENGTH } from "better-auth-tenant/rules";
import { useRef } from "react";
import { CodeArea, TextField } from "../../ui/fields";
import { useSettledValue } from "../../ui/settled-value";
import { useApi } from "../api/context";
import { formatMetadata, parseMetadata } from "./tenant-form";

type FieldProps = {
	value: string;
	onValueChange: (value: string) => void;
	/** From the service. */
	error?: string | undefined;
};

export function NameField(props: FieldProps & { autoFocus?: boolean }) {
	return (
		<TextField label="Name" maxLength={MAX_NAME_LENGTH} autoComplete="off" required {...props} />
	);
}

type SlugFieldProps = FieldProps & {
	/** The slug that the tenant already has. */
	current?: string;
	readOnly?: boolean;
	/** Whether the caller may look for other tenants. Otherwise the service says it when the form is saved. */
	canCheck?: boolean;
};

/** Says while the operator types whether a slug is available. */
export function SlugField(props: SlugFieldProps) {
	const { value, onValueChange, current, error, readOnly = false, canCheck = true } = props;
	const { slugTakenQuery } = useApi();
	const settled = useSettledValue(value, 300);
	const problem = value && value !== current ? findSlugProblem(value)?.message : null;
	const isChecked = settled === value && value !== "" && value !== current && !problem;
	const { data: isTaken, isFetching } = useQuery({
		...slugTakenQuery(settled),
		enabled: isChecked && canCheck,
	});
	const taken = isChecked && isTaken ? `“${value}” is taken.` : null;
	const isAvailable = isChecked && isTaken === false && !isFetching;
	return (
		<>
			<TextField
				label="Slug"
				hint={
					isAvailable ? (
						<span className="good">“{value}” is available.</span>
					) : (
						"Part of the tenant's URLs. Use lowercase letters, digits and hyphens."
					)
				}
				value={value}
				onValueChange={(typed) => onValueChange(typed.trim())}
				error={problem ?? taken ?? error}
				readOnly={readOnly}
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

/** A JSON object. An error message names its line and links to it. */
export function MetadataField({ value, onValueChange, error }: FieldProps) {
	const container = useRef<HTMLDivElement>(null);
	const { metadata, problem } = parseMetadata(value);
	const selectLine = (line: number) => {
		const area = container.current?.querySelector("textarea");
		const lines = value.split("\n");
		const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
		area?.focus();
		area?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
	};
	const line = problem?.line;
	return (
		<div ref={container}>
			<CodeArea
				label="Metadata"
				rows={Math.min(24, Math.max(8, value.split("\n").length + 1))}
				hint={`A JSON object of up to ${MAX_JSON_BYTES / 1024} KB. Only “branding” is public.`}
				value={value}
				onValueChange={onValueChange}
				error={
					problem ? (
						<>
							{line && (
								<>
									<button type="button" className="link-button" onClick={() => selectLine(line)}>
										Line {line}, column {problem.column}
									</button>
									{": "}
								</>
							)}
							{problem.message}
						</>
					) : (
						error
					)
				}
				aside={
					<button
						type="button"
						className="link-button"
						disabled={!metadata}
						onClick={() => metadata && onValueChange(formatMetadata(metadata))}
					>
						Format
					</button>
				}
			/>
		</div>
	);
}
