import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Badge, Notice } from "../../ui/feedback";
import { Form } from "../../ui/fields";
import { Tabs } from "../../ui/layout";
import { type Application, applicationsKey } from "../api/applications";
import { useApi } from "../api/context";
import { BackLink } from "../layout";
import { Loaded } from "../lists/Loaded";
import { SaveBar } from "../SaveBar";
import { useUnsavedChanges } from "../unsaved-changes";
import { ApplicationActions } from "./ApplicationActions";
import { ApplicationFields } from "./ApplicationFields";
import {
	findApplicationProblems,
	findMissing,
	toApplicationValues,
	toSettings,
} from "./application-form";
import { useApplicationOwner } from "./application-owner";
import { TYPES } from "./application-types";
import { Connection } from "./Connection";

/** The values and the code to connect the app, or its settings. */
export function ApplicationPage({ shown }: { shown: "connection" | "settings" }) {
	const { tenantId, titleOf, home, may } = useApplicationOwner();
	const { clientId = "" } = useParams();
	const { applicationQuery } = useApi();
	const query = useQuery(applicationQuery(tenantId, clientId));
	const path = `${home}/${clientId}`;
	// An operator manages applications of all tenants. Each tenant sees them in its list.
	const mayChange = may("application:update") && (query.data?.tenantId ?? null) === tenantId;
	return (
		<div className="stack">
			<title>{titleOf(query.data?.name ?? "Application")}</title>
			<BackLink to={home}>Applications</BackLink>
			{!query.data && <h1 className="visually-hidden">Application</h1>}
			<Loaded query={query}>
				{(application) => (
					<>
						<ApplicationHead application={application} />
						{mayChange && (
							<Tabs
								label="Application"
								tabs={[
									{ to: path, title: "Connect", end: true },
									{ to: `${path}/settings`, title: "Settings" },
								]}
							/>
						)}
						{shown === "connection" || !mayChange ? (
							<Connection application={application} />
						) : (
							<>
								<SettingsForm
									// It starts again when the settings change, but not when the application is disabled.
									key={JSON.stringify(toApplicationValues(application))}
									application={application}
								/>
								<ApplicationActions application={application} />
							</>
						)}
					</>
				)}
			</Loaded>
		</div>
	);
}

function ApplicationHead({ application }: { application: Application }) {
	const { tenantId } = useApplicationOwner();
	const { name, type, disabled, tenantId: owner } = application;
	return (
		<>
			<div>
				<h1 className="break">{name}</h1>
				<p className="badges muted small">
					{TYPES[type].title} {disabled && <Badge kind="warning">Disabled</Badge>}
				</p>
			</div>
			{owner === null && tenantId !== null && (
				<Notice kind="info">
					This application works for all tenants. Only operators of the service can change it.
				</Notice>
			)}
			{disabled && (
				<Notice kind="warning">
					This application is disabled. It cannot sign anybody in, and its tokens are refused.
				</Notice>
			)}
		</>
	);
}

function SettingsForm({ application }: { application: Application }) {
	const { tenantId } = useApplicationOwner();
	const { applicationQuery, updateApplication } = useApi();
	const queryClient = useQueryClient();
	const stored = toApplicationValues(application);
	const [values, setValues] = useState(stored);
	const { clientId } = application;
	const save = useApiMutation({
		mutationFn: () => {
			const { scopes, ...settings } = toSettings(values);
			return updateApplication(tenantId, clientId, { ...settings, ...(scopes ? { scopes } : {}) });
		},
		successMessage: "Application saved.",
		invalidate: [applicationsKey(tenantId)],
		onSuccess: (saved) =>
			queryClient.setQueryData(applicationQuery(tenantId, clientId).queryKey, saved),
	});
	const isChanged = JSON.stringify(values) !== JSON.stringify(stored);
	const problems = Object.keys(findApplicationProblems(values));
	const missing = findMissing(values);
	const isReady = isChanged && missing === null && problems.length === 0;
	useUnsavedChanges(isChanged && !save.isPending);
	return (
		<Form autoComplete="off" onSubmit={() => isReady && !save.isPending && save.mutate()}>
			<div className="columns">
				<ApplicationFields
					values={values}
					set={(changes) => setValues((current) => ({ ...current, ...changes }))}
				/>
			</div>
			<SaveBar
				action="Save application"
				save={save}
				isChanged={isChanged}
				isReady={isReady}
				missing={missing}
				onDiscard={() => setValues(stored)}
			/>
		</Form>
	);
}
