import { useConsoleOperator } from "../session/operator";

type ActionChecksProps = {
	chosen: readonly string[];
	onChange: (chosen: string[]) => void;
};

/** A check box for each action that a key can have, by resource. */
export function ActionChecks({ chosen, onChange }: ActionChecksProps) {
	const operator = useConsoleOperator();
	const all = operator && "actions" in operator ? operator.actions : [];
	// A key cannot make operators or other keys.
	const actions = all.filter((action) => !/^(operator|key):/.test(action));
	const resources = [...new Set(actions.map(resourceOf))];
	return (
		<div className="checks">
			{resources.map((resource) => (
				<fieldset key={resource} className="check-group">
					<legend>{resource}</legend>
					{actions
						.filter((action) => resourceOf(action) === resource)
						.map((action) => (
							<label key={action} className="check">
								<input
									type="checkbox"
									aria-label={action}
									checked={chosen.includes(action)}
									onChange={({ target }) =>
										onChange(
											target.checked
												? [...chosen, action]
												: chosen.filter((other) => other !== action),
										)
									}
								/>
								{action.slice(resource.length + 1)}
							</label>
						))}
				</fieldset>
			))}
		</div>
	);
}

const resourceOf = (action: string) => action.split(":")[0] ?? "";
