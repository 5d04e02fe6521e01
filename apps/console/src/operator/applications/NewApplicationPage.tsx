import { useState } from "react";
import { useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Dialog } from "../../ui/Dialog";
import { Form } from "../../ui/fields";
import { Card } from "../../ui/layout";
import {
	APPLICATION_TYPES,
	type ApplicationType,
	applicationsKey,
	type WithSecret,
} from "../api/applications";
import { useApi } from "../api/context";
import { BackLink } from "../layout";
import { SaveBar } from "../SaveBar";
import { useUnsavedChanges } from "../unsaved-changes";
import { NewSecret } from "./ApplicationActions";
import { ApplicationFields } from "./ApplicationFields";
import {
	type ApplicationValues,
	findApplicationProblems,
	findMissing,
	newApplicationValues,
	toSettings,
} from "./application-form";
import { useApplicationOwner } from "./application-owner";
import { TYPES } from "./application-types";

export function NewApplicationPage() {
	const { tenantId, titleOf, home } = useApplicationOwner();
	const navigate = useNavigate();
	const { createApplication } = useApi();
	const [values, setValues] = useState(newApplicationValues);
	const show = ({ clientId }: WithSecret) =>
		void navigate(`${home}/${clientId}`, { replace: true });
	const create = useApiMutation({
		mutationFn: () => {
			const { scopes, ...settings } = toSettings(values);
			return createApplication(tenantId, {
				...settings,
				type: values.type,
				...(scopes ? { scopes } : {}),
			});
		},
		successMessage: "Application created.",
		invalidate: [applicationsKey(tenantId)],
		onSuccess: (created) => {
			if (created.clientSecret === null) show(created);
		},
	});
	const missing = findMissing(values);
	const isReady = missing === null && Object.keys(findApplicationProblems(values)).length === 0;
	const isChanged = JSON.stringify(values) !== JSON.stringify(newApplicationValues);
	useUnsavedChanges(isChanged && !create.isPending && !create.isSuccess);
	const created = create.data;
	return (
		<div className="stack">
			<title>{titleOf("New application")}</title>
			<BackLink to={home}>Applications</BackLink>
			<h1 className="break">New application</h1>
			<Form autoComplete="off" onSubmit={() => isReady && !create.isPending && create.mutate()}>
				<TypeChoice
					type={values.type}
					// The scopes of another type do not fit.
					onChange={(type) => setValues((current) => ({ ...current, type, scopes: null }))}
				/>
				<div className="columns">
					<ApplicationFields
						values={values}
						set={(changes: Partial<ApplicationValues>) =>
							setValues((current) => ({ ...current, ...changes }))
						}
					/>
				</div>
				<SaveBar
					action="Create application"
					save={create}
					isChanged={isChanged}
					isReady={isReady}
					missing={missing}
				/>
			</Form>
			<Dialog
				title="Application created"
				open={Boolean(created?.clientSecret)}
				onClose={() => created && show(created)}
			>
				{created?.clientSecret && (
					<NewSecret
						clientId={created.clientId}
						secret={created.clientSecret}
						onClose={() => show(created)}
					/>
				)}
			</Dialog>
		</div>
	);
}

type TypeChoiceProps = { type: ApplicationType; onChange: (type: ApplicationType) => void };

function TypeChoice({ type, onChange }: TypeChoiceProps) {
	return (
		<Card>
			<fieldset className="types">
				<legend>What kind of app is it?</legend>
				{APPLICATION_TYPES.map((one) => (
					<label key={one} className="type">
						<input type="radio" name="type" checked={one === type} onChange={() => onChange(one)} />
						<span>
							{TYPES[one].title}
							<span className="muted small subtext">{TYPES[one].hint}</span>
						</span>
					</label>
				))}
			</fieldset>
		</Card>
	);
}
