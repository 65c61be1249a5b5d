export { renderList, renderTask } from "./render.js";
export { createTaskList } from "./task-list.js";
export { completeTask, createTask } from "./task.js";
