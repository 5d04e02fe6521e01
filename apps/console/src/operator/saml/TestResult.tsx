import { useQuery } from "@tanstack/react-query";
import { Notice } from "../../ui/feedback";
import { useApi } from "../api/context";
import type { SamlTestPerson, SamlTestResult } from "../api/saml-test";
import { useTenant } from "../current-tenant/tenant-context";
import { type Detail, DetailList } from "../details";

/** Waits for the end of a test sign-in, and shows what the identity provider said. */
export function TestResult({ testId }: { testId: string }) {
	const tenant = useTenant();
	const { samlTestResultQuery } = useApi();
	const { data, error } = useQuery(samlTestResultQuery(tenant.id, testId));
	if (error) return <Notice kind="danger">{error.message}</Notice>;
	if (!data?.result) {
		return <Notice kind="info">Waiting for the sign-in. The link works once.</Notice>;
	}
	return <Ended result={data.result} />;
}

function Ended({ result: { ok, code, message, hints, person } }: { result: SamlTestResult }) {
	return (
		<>
			<Notice kind={ok ? "success" : "danger"}>
				{message}.{code && ` (${code})`}
			</Notice>
			{hints.length > 0 && (
				<ul>
					{hints.map((hint) => (
						<li key={hint} className="break">
							{hint}
						</li>
					))}
				</ul>
			)}
			{person && <DetailList details={detailsOf(person)} />}
		</>
	);
}

const detailsOf = ({ nameId, email, name, groups, role, attributes }: SamlTestPerson): Detail[] => [
	{ title: "Name ID", value: nameId },
	{ title: "Email", value: email },
	{ title: "Name", value: name },
	{ title: "Groups", value: groups.join(", ") || "None" },
	{ title: "Role", value: role ?? "Not decided by groups" },
	{ title: "Attributes", value: <Attributes attributes={attributes} /> },
];

function Attributes({ attributes }: Pick<SamlTestPerson, "attributes">) {
	const entries = Object.entries(attributes);
	if (entries.length === 0) return "None";
	return (
		<ul className="certificates">
			{entries.map(([name, values]) => (
				<li key={name}>
					<code className="break">{name}</code>: <span className="break">{values.join(", ")}</span>
				</li>
			))}
		</ul>
	);
}
