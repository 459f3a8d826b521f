"""What went wrong and what to do about it, in plain sentences: one row for each code of `app/errors.py`.

Each row has a plain title that needs no field of the problem, and may have a fuller one that is used when all
the fields it names ({path}, {profile}, {host}, {seconds}, ...) are there.
"""

from __future__ import annotations

from ui.action_problems import ACTION_PROBLEMS
from ui.language import later as L
from ui.memory_problems import MEMORY
from ui.model_problems import MODELS
from ui.own_tool_words import OWN_TOOLS
from ui.problem import Row
from ui.routine_problems import ROUTINES
from ui.server_problems import SERVERS
from ui.service_problems import SERVICES
from ui.sign_in_problems import SIGN_IN
from ui.skill_problems import SKILLS
from ui.trust_problems import TRUST
from ui.web_problems import WEB

ACTIONS: dict[str, str] = {
    "none": "",
    "open_settings_key": L("Enter a key"),
    "sign_in": L("Sign in"),
    "open_settings": L("Open settings"),
    "pick_model": L("Choose a model"),
    "pick_folder": L("Choose a folder"),
    "run_again": L("Run again"),
    "use_fallback": L("Let the other model answer"),
    "restore_store": L("Restore a backup"),
    "open_data_folder": L("Open the data folder"),
    "wait": L("Wait"),
    "install_local": L("Get the local model"),
    "new_session": L("Start a new conversation"),
    "show_change": L("Show the change"),
    "show_rules": L("Show the rules"),
    "show_servers": L("Show the servers"),
    "show_skills": L("Show the skills"),
    "show_tools": L("Show the tools"),
    "show_own_tools": L("Show your own tools"),
    "report": L("Report a problem"),
}

PROBLEMS: dict[str, Row] = {
    **MODELS,
    **TRUST,
    **SERVERS,
    **ROUTINES,
    **OWN_TOOLS,
    **SIGN_IN,
    **SKILLS,
    **ACTION_PROBLEMS,
    **MEMORY,
    **WEB,
    **SERVICES,
    # --- the store and the settings
    "store_corrupt": Row(
        L("The data file is damaged. Bramble opened it for reading only."),
        L("What can still be read is shown and can be exported. The damaged file is always kept."),
        "restore_store",
    ),
    "store_readonly": Row(
        L("The data folder cannot be written to. Bramble opened it for reading only."),
        L("Make the folder writable and start again. What is there can still be read."),
        "open_data_folder",
        L("{path} cannot be written to. Bramble opened it for reading only."),
    ),
    "store_full": Row(
        L("The disk is full, so nothing more can be kept."),
        L("Free some space. Nothing that was kept before is lost."),
        "run_again",
    ),
    "store_locked": Row(
        L("Another program holds the data file."),
        L("Close it, or wait a moment, and run it again."),
        "run_again",
    ),
    "store_newer": Row(
        L("The data was written by a newer Bramble."),
        L("Install the newer version again. Nothing was changed."),
        "open_data_folder",
    ),
    "bad_backup": Row(
        L("This file is no backup, or it is damaged."),
        L("Choose another one. Nothing was changed."),
        "none",
        L("{path} is no backup, or it is damaged."),
    ),
    "bad_fixture": Row(
        L("This is no file of tools, so nothing was measured."),
        L("It must be a JSON list of objects with server, name, description and inputSchema."),
        "none",
        L("{path} is no file of tools, so nothing was measured."),
    ),
    "bad_settings": Row(
        L("The settings file cannot be used as it stands."),
        L("Correct the line that is named, or rename the file to start with the usual settings."),
        "open_settings",
        L("{path} cannot be used as it stands: {why}"),
    ),
    # --- conversations
    "no_session": Row(
        L("There is no such conversation."),
        L("Look for it in the list; it may have been deleted."),
        "none",
        L("There is no conversation {session}."),
    ),
    "session_busy": Row(
        L("This conversation is being answered in another window or terminal."),
        L("Wait until it is done, stop it there, or start a new conversation."),
        "wait",
    ),
    "no_folder": Row(
        L("The working folder is not there."),
        L("Choose the folder to work in. Nothing was done."),
        "pick_folder",
        L("The folder {path} is not there."),
    ),
    "bad_folder": Row(
        L("This folder is too wide to work in."),
        L("Choose a folder inside it. The home folder and the root are never worked in as a whole."),
        "pick_folder",
        L("{path} is too wide to work in."),
    ),
    # --- tools
    "unknown_tool": Row(
        L("There is no such tool."),
        L("Look at the list of tools."),
        "show_tools",
        L("There is no tool named {tool}."),
    ),
    "bad_arguments": Row(
        L("The tool was given arguments that it cannot use."),
        L("Correct them and run it again."),
        "run_again",
    ),
    "file_exists": Row(
        L("There is a file of that name already, so nothing was written."),
        L("Choose another name."),
        "none",
        L("{path} is there already, so nothing was written."),
    ),
    "bad_import": Row(
        L("This file holds no conversation that Bramble can read, so nothing was brought in."),
        L("Take a JSON file that Bramble exported, or conversations.json of an export of ChatGPT or Claude."),
        "none",
    ),
    "mode_forbids": Row(
        L("This mode only reads, so the tool was not run."), L("Choose agent mode to change things."), "none"
    ),
    "refused": Row(
        L("Nobody was there to allow this, so it was not done."),
        L("Run it where Bramble can ask you, or allow it beforehand. Nothing was changed."),
        "run_again",
    ),
    "denied": Row(L("This was not allowed, so it was not done."), L("Nothing was changed."), "none"),
    "not_found": Row(
        L("There is no such file or folder."),
        L("Check the spelling and the folder."),
        "none",
        L("{path} does not exist."),
    ),
    "not_unique": Row(
        L("The text to replace stands in the file more than once."),
        L("Name more of the lines around it."),
        "none",
    ),
    "changed_since": Row(
        L("The file was changed meanwhile, so nothing was written."),
        L("Look at it again and run it again."),
        "run_again",
        L("{path} was changed meanwhile, so nothing was written."),
    ),
    "binary": Row(
        L("This file is not text, so it cannot be edited here."),
        L("Open it with a program made for it."),
        "none",
        L("{path} is not text, so it cannot be edited here."),
    ),
    "encoding": Row(
        L("The text cannot be written in the file's own encoding, so nothing was written."),
        L("Leave out the characters that it lacks, or turn the file into UTF-8."),
        "none",
        L("The text cannot be written in the encoding of {path}, so nothing was written."),
    ),
    "outside": Row(
        L("This lies outside the working folder."),
        L("Allow it, or choose the folder that holds it."),
        "pick_folder",
        L("{path} lies outside the working folder."),
    ),
    "protected": Row(
        L("This place is protected. Bramble never changes it."),
        L("Change it yourself if you are sure."),
        "none",
        L("{path} is protected. Bramble never changes it."),
    ),
    "too_large": Row(
        L("This is too large to be handled at once."),
        L("Take a part of it."),
        "none",
        L("{path} is too large to be handled at once."),
    ),
    "no_permission": Row(
        L("The system does not allow this."),
        L("Check the rights of the file or folder."),
        "none",
        L("The system does not allow access to {path}."),
    ),
    "disk_full": Row(
        L("The disk is full, so nothing was written."), L("Free some space and run it again."), "run_again"
    ),
    "not_text": Row(
        L("This cannot be read as text."),
        L("Only text can be handed over as it is; pictures and documents cannot."),
        "none",
        L("{path} cannot be read as text."),
    ),
    "attachment_locked": Row(
        L("A file is locked with a password, so it was not attached."),
        L("Save a copy without the password and attach that."),
        "none",
        L("{path} is locked with a password, so it was not attached."),
    ),
    "attachment_empty": Row(
        L("A file holds nothing to read, so it was not attached."),
        L("If its pages are pictures, attach pictures of them."),
        "none",
        L("{path} holds nothing to read, so it was not attached."),
    ),
    "attachment_unknown": Row(
        L("A file is of a kind that cannot be read, so it was not attached."),
        L("Text, PDF, Word, Excel, PowerPoint, PNG and JPEG can be read. Save a copy as one of these."),
        "none",
        L("{path} is of a kind that cannot be read, so it was not attached."),
    ),
    "too_many_pictures": Row(
        L("These are too many pictures for one message."),
        L("Send some of them with the next message."),
        "none",
        L("One message can have {most} pictures."),
    ),
    "no_job": Row(
        L("There is no such job."),
        L("It may have ended; its output is in the conversation."),
        "none",
        L("There is no job {job}."),
    ),
    "no_trash": Row(
        L("There is no trash for this place, so nothing was deleted."),
        L("Move it to your own drive first, or delete it yourself."),
    ),
    "undo_conflict": Row(
        L("The file was changed after this, so taking it back would lose that. Nothing was changed."),
        L("Look at the differences and decide which text should stay."),
        "show_change",
        L("{path} was changed after this, so taking it back would lose that. Nothing was changed."),
    ),
    "no_change": Row(
        L("There is no such change to take back."),
        L("Look at the list of changes."),
        "none",
        L("There is no change {change}."),
    ),
    "taken_back": Row(
        L("This is taken back already."),
        L("To let it stand again, take back the undo: it is in the list of changes too."),
        "show_change",
        L("The change {change} is taken back already."),
    ),
    "internal": Row(
        L("Bramble made a mistake of its own."),
        L("Your conversation is kept. Run it again; if it stays, report the problem."),
        "report",
    ),
}
